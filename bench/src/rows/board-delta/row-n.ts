import { parseIsoDate, todayIn } from '@melmastoon/domain'
import { kept, type PageServer, startPageServer } from '../../harness/page-server.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Fact, Goal, Role, Row, Variant } from '../../harness/row.ts'
import type { Worker } from '../../harness/worker.ts'
import {
  type BackofficeServer,
  backofficeEnv,
  startBackoffice,
  startStaffLoad,
} from '../../staff/backoffice-environment.ts'
import { measureStaffLoad, STAFF_METRICS } from '../../staff/measure-staff-load.ts'
import type { StaffRequest } from '../../staff/staff-client.ts'
import type { Upstreams } from '../booking/booking-environment.ts'
import { type DashboardHotel, dashboardCalls } from '../dashboard/dashboard-calls.ts'
import { type SearchEnvironment, startSearchEnvironment } from '../search/search-environment.ts'

const READY = 'node:http, one proof, ready bytes'
const BARE = 'the two calls, responses parsed'
const WHOLE = 'bff-backoffice-service, the whole board'
const DELTA = 'bff-backoffice-service, delta, nothing changed'
const CHANGED = 'bff-backoffice-service, delta, one row changed'
const COLD = 'bff-backoffice-service, nothing cached'
const FASTIFY = 'Fastify + undici, written by hand'
const SLUG = 'creek-pearl'
const TIME_ZONE = 'Asia/Dubai'
const BOARD = '/housekeeping'
const DEVICES = 32
const SHORT_DEVICES = 2

const GOAL: Goal = {
  text: 'CPU of a delta against the whole board',
  metric: 'cpuUs',
  variant: DELTA,
  against: WHOLE,
  atMost: 1,
  columns: { floor: WHOLE, us: DELTA },
}

const SMALLER: Fact = {
  text: 'a delta has fewer bytes than the board',
  holds: (samples) => {
    const bytes = (name: string) => samples.get(name)?.[0]?.['bytes'] ?? 0
    return bytes(DELTA) < bytes(CHANGED) && bytes(CHANGED) < bytes(WHOLE)
  },
}

export const rowN: Row = {
  id: 'N',
  title: 'A board of rooms and its deltas, with token, proof, session and role checked',
  async parts(world) {
    const environment = await startSearchEnvironment(world, { isSmall: true })
    const scene = await createScene(world, environment)
    return [
      {
        title: 'board',
        metrics: STAFF_METRICS,
        variants: variantsOf(scene),
        rounds: world.pick(3, 1),
        compare: 'cpuUs',
        facts: [SMALLER],
        goals: [GOAL],
      },
    ]
  },
}

interface Scene {
  readonly world: BenchWorld
  readonly upstreams: Upstreams
  readonly env: Readonly<Record<string, string>>
  readonly server: BackofficeServer
  readonly load: Worker
  readonly path: string
  readonly hotel: DashboardHotel
  /** The board as staff receive it. */
  readonly body: string
  readonly latest: string
  readonly beforeChange: string
}

interface Board {
  readonly rows: readonly {
    readonly task?: { readonly taskId: string; readonly status: string } | null
  }[]
  readonly delta: { readonly cursor: string }
}

async function createScene(world: BenchWorld, environment: SearchEnvironment): Promise<Scene> {
  const upstreams = { url: environment.sandbox.url, secret: environment.secret }
  const env = { ...(await backofficeEnv(world, upstreams)), ...environment.bus }
  const server = await startBackoffice(env)
  const load = startStaffLoad()
  const accounts = [{ tenantSlug: SLUG, username: 'manager' }]
  const count = world.pick(DEVICES, SHORT_DEVICES)
  const signIn = { iamUrl: environment.sandbox.url, accounts, count }
  const [device] = (await load.run('signIn', signIn)) as readonly { readonly tenantId: string }[]
  const send: Send = (wanted) => load.run('request', { url: server.url, wanted })
  const session = await send({ method: 'GET', path: '/session' })
  const [propertyId = ''] = (session as { readonly properties: readonly string[] }).properties
  const path = `${BOARD}?propertyId=${propertyId}`
  const read = async () => (await send({ method: 'GET', path })) as Board
  const before = await read()
  await startSomeTask(send, before)
  const after = await readUntilChanged(read, before)
  const cursors = { latest: after.delta.cursor, beforeChange: before.delta.cursor }
  const date = parseIsoDate(todayIn(TIME_ZONE, new Date()))
  const hotel = { tenantId: device?.tenantId ?? '', propertyId, date }
  const body = JSON.stringify(after)
  return { world, upstreams, env, server, load, path, hotel, body, ...cursors }
}

type Send = (wanted: StaffRequest) => Promise<unknown>

async function startSomeTask(send: Send, { rows }: Board): Promise<void> {
  const task = rows.map((row) => row.task).find((each) => each?.status === 'pending')
  if (task === undefined || task === null) throw new Error('no task is pending')
  await send({ method: 'POST', path: `/housekeeping/tasks/${task.taskId}/start`, json: {} })
}

const TRIES_MAX = 400
const PAUSE_MS = 100

/** As soon as the event has arrived; at the latest when the cached lists expire. */
async function readUntilChanged(read: () => Promise<Board>, before: Board): Promise<Board> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const board = await read()
    if (JSON.stringify(board.rows) !== JSON.stringify(before.rows)) return board
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error('the board did not change')
}

function variantsOf(scene: Scene): Variant[] {
  const { world, env, server, upstreams, hotel, body, latest, beforeChange } = scene
  const { rooms = '', arrivals = '' } = dashboardCalls(hotel)
  const given = { ...upstreams, ...hotel, calls: { rooms, arrivals } }
  const bare = new URL('../dashboard/bare-dashboard.ts', import.meta.url)
  const proof = new URL('../dashboard/bare-proof.ts', import.meta.url)
  const ready = async () =>
    startPageServer(world, proof, { redisUrl: await world.emptyRedis('session'), body })
  const plain = (program: URL, path: string) => ({
    command: 'runPlain' as const,
    start: () => startPageServer(world, program, given),
    input: { path },
  })
  const staff = (start: () => Promise<PageServer>, cursor: string | null) => ({
    command: 'run' as const,
    start,
    input: { wanted: { method: 'GET', path: scene.path + sinceOf(cursor) } },
  })
  const cold = () => startBackoffice(env, { cached: false })
  const board = boardVariant.bind(null, scene)
  return [
    board({ name: READY, role: 'limit', ...staff(ready, null) }),
    board({ name: BARE, role: 'floor', ...plain(bare, '/') }),
    board({ name: WHOLE, role: 'us', ...staff(kept(server), null) }),
    board({ name: DELTA, role: 'us', ...staff(kept(server), latest) }),
    board({ name: CHANGED, role: 'us', ...staff(kept(server), beforeChange) }),
    board({ name: COLD, role: 'us', ...staff(cold, null) }),
    board({ name: FASTIFY, role: 'peer', ...plain(peerProgram('fastify-board.mjs'), '/board') }),
  ]
}

function sinceOf(cursor: string | null): string {
  return cursor === null ? '' : `&since=${encodeURIComponent(cursor)}`
}

interface BoardVariant {
  readonly name: string
  readonly role: Role
  readonly start: () => Promise<PageServer>
  readonly command: 'run' | 'runPlain'
  readonly input: object
}

function boardVariant({ world, load }: Scene, variant: BoardVariant): Variant {
  const { name, role, start, command, input } = variant
  const setup = async () => measureStaffLoad({ world, server: await start(), load, command, input })
  return { name, role, setup }
}
