import { kept } from '../../harness/page-server.ts'
import type { BenchWorld, Fact, Goal, Row, Variant } from '../../harness/row.ts'
import type { Worker } from '../../harness/worker.ts'
import {
  type BackofficeServer,
  backofficeEnv,
  startBackoffice,
  startStaffLoad,
} from '../../staff/backoffice-environment.ts'
import { measureStaffLoad, STAFF_METRICS } from '../../staff/measure-staff-load.ts'
import type { StaffRequest } from '../../staff/staff-client.ts'
import { type SearchEnvironment, startSearchEnvironment } from '../search/search-environment.ts'

const WHOLE = 'the whole board'
const DELTA = 'delta, nothing changed'
const CHANGED = 'delta, one row changed'
const SLUG = 'creek-pearl'
const BOARD = '/housekeeping'
const DEVICES = 32
const SHORT_DEVICES = 2

const GOAL: Goal = {
  text: 'CPU of a delta against the whole board',
  metric: 'cpuUs',
  variant: DELTA,
  against: WHOLE,
  atMost: 1,
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
        variants: [
          variant(scene, { name: WHOLE, role: 'floor', cursor: null }),
          variant(scene, { name: DELTA, role: 'us', cursor: scene.latest }),
          variant(scene, { name: CHANGED, role: 'us', cursor: scene.beforeChange }),
        ],
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
  readonly server: BackofficeServer
  readonly load: Worker
  readonly path: string
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
  await load.run('signIn', { iamUrl: environment.sandbox.url, accounts, count })
  const send: Send = (wanted) => load.run('request', { url: server.url, wanted })
  const session = await send({ method: 'GET', path: '/session' })
  const [propertyId = ''] = (session as { readonly properties: readonly string[] }).properties
  const path = `${BOARD}?propertyId=${propertyId}`
  const read = async () => (await send({ method: 'GET', path })) as Board
  const before = await read()
  await startSomeTask(send, before)
  const after = await readUntilChanged(read, before)
  const cursors = { latest: after.delta.cursor, beforeChange: before.delta.cursor }
  return { world, server, load, path, ...cursors }
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

interface BoardVariant {
  readonly name: string
  readonly role: 'floor' | 'us'
  readonly cursor: string | null
}

function variant(scene: Scene, { name, role, cursor }: BoardVariant): Variant {
  const { world, load, server, path } = scene
  const since = cursor === null ? '' : `&since=${encodeURIComponent(cursor)}`
  const input = { wanted: { method: 'GET', path: `${path}${since}` } }
  const start = kept(server)
  const setup = async () =>
    measureStaffLoad({ world, server: await start(), load, command: 'run', input })
  return { name, role, setup }
}
