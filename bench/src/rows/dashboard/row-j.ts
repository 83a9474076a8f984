import { parseIsoDate, todayIn } from '@melmastoon/domain'
import { kept, type PageServer, startPageServer } from '../../harness/page-server.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Fact, Goal, Role, Row, Variant } from '../../harness/row.ts'
import type { Worker } from '../../harness/worker.ts'
import {
  backofficeEnv,
  startBackoffice,
  startStaffLoad,
} from '../../staff/backoffice-environment.ts'
import { measureStaffLoad, STAFF_METRICS } from '../../staff/measure-staff-load.ts'
import { startStub, type Upstreams } from '../booking/booking-environment.ts'
import { type SearchEnvironment, startSearchEnvironment } from '../search/search-environment.ts'
import { type DashboardHotel, dashboardCalls } from './dashboard-calls.ts'
import { DASHBOARD_QUERY } from './dashboard-query.ts'

const READY = 'node:http, one proof, ready bytes'
const BARE = 'the nine calls, responses parsed'
const WARM = 'bff-backoffice-service, cached'
const LINES = 'bff-backoffice-service, cached, streamed'
const COLD = 'bff-backoffice-service, nothing cached'
const FASTIFY = 'Fastify + undici, written by hand'
const MERCURIUS = 'Mercurius on Fastify, compiled queries'

const SLUG = 'creek-pearl'
const TIME_ZONE = 'Asia/Dubai'
const DEVICES = 32
const SHORT_DEVICES = 2

const GOALS: readonly Goal[] = [
  {
    text: 'CPU of a cold dashboard',
    metric: 'ownUs',
    variant: COLD,
    against: BARE,
    atMost: 2,
    columns: { us: COLD },
  },
  {
    text: 'CPU of a cached dashboard against Mercurius',
    metric: 'cpuUs',
    variant: MERCURIUS,
    against: WARM,
    atLeast: 3,
    columns: { us: WARM, peer: MERCURIUS },
  },
  {
    text: 'CPU of a cached dashboard against Fastify by hand',
    metric: 'cpuUs',
    variant: FASTIFY,
    against: WARM,
    atLeast: 2,
    columns: { us: WARM, peer: FASTIFY },
  },
]

/** Otherwise the numbers would be those of an error, or of an empty hotel. */
const WHOLE: Fact = {
  text: 'cached and composed dashboards have about the same size',
  holds: (samples) => {
    const bytes = (name: string) => samples.get(name)?.[0]?.['bytes'] ?? 0
    return bytes(WARM) > 1_000 && Math.abs(bytes(WARM) - bytes(COLD)) < 0.1 * bytes(WARM)
  },
}

/** With token, proof, session, role and property checked; the alternatives check nothing. */
export const rowJ: Row = {
  id: 'J',
  title: 'The dashboard of a hotel, composed from nine calls to seven upstreams',
  async parts(world) {
    const environment = await startSearchEnvironment(world, { isSmall: true })
    const scene = await createScene(world, environment)
    return [
      {
        title: 'dashboard',
        metrics: STAFF_METRICS,
        variants: variantsOf(scene),
        rounds: world.pick(3, 1),
        compare: 'cpuUs',
        facts: [WHOLE],
        goals: GOALS,
      },
    ]
  },
}

interface Scene {
  readonly world: BenchWorld
  readonly upstreams: Upstreams
  readonly hotel: DashboardHotel
  readonly env: Readonly<Record<string, string>>
  /** With its caches. */
  readonly server: PageServer
  readonly load: Worker
  /** The dashboard as staff receive it. */
  readonly body: string
}

async function createScene(world: BenchWorld, environment: SearchEnvironment): Promise<Scene> {
  const upstreams = await startStub(environment)
  const env = await backofficeEnv(world, upstreams)
  const [server, load] = [await startBackoffice(env), startStaffLoad()]
  const accounts = [{ tenantSlug: SLUG, username: 'desk' }]
  const count = world.pick(DEVICES, SHORT_DEVICES)
  const signIn = { iamUrl: environment.sandbox.url, accounts, count }
  const [device] = (await load.run('signIn', signIn)) as readonly { readonly tenantId: string }[]
  const read = (path: string) =>
    load.run('request', { url: server.url, wanted: { method: 'GET', path } })
  const session = (await read('/session')) as { readonly properties: readonly string[] }
  const [propertyId = ''] = session.properties
  const date = parseIsoDate(todayIn(TIME_ZONE, new Date()))
  const hotel = { tenantId: device?.tenantId ?? '', propertyId, date }
  const body = JSON.stringify(await read(dashboardPath(hotel)))
  return { world, upstreams, hotel, env, server, load, body }
}

function dashboardPath({ propertyId }: DashboardHotel): string {
  return `/dashboard?propertyId=${propertyId}`
}

function variantsOf(scene: Scene): Variant[] {
  const { env, server } = scene
  const cached = kept(server)
  const lines = 'application/x-ndjson'
  return [
    staffVariant(scene, { name: READY, role: 'limit', start: () => startReady(scene) }),
    plainVariant(scene, {
      name: BARE,
      role: 'floor',
      program: new URL('./bare-dashboard.ts', import.meta.url),
      path: '/',
    }),
    staffVariant(scene, { name: WARM, role: 'us', start: cached }),
    staffVariant(scene, {
      name: LINES,
      role: 'us',
      start: cached,
      accept: lines,
    }),
    staffVariant(scene, {
      name: COLD,
      role: 'us',
      start: () => startBackoffice(env, { cached: false }),
    }),
    plainVariant(scene, {
      name: FASTIFY,
      role: 'peer',
      program: peerProgram('fastify-dashboard.mjs'),
      path: '/dashboard',
    }),
    plainVariant(scene, {
      name: MERCURIUS,
      role: 'peer',
      program: peerProgram('mercurius-dashboard.mjs'),
      path: '/graphql',
      json: { query: DASHBOARD_QUERY },
    }),
  ]
}

interface StaffVariant {
  readonly name: string
  readonly role: Role
  readonly start: () => Promise<PageServer>
  readonly accept?: string
}

function staffVariant(scene: Scene, { name, role, start, accept }: StaffVariant): Variant {
  const { world, load, hotel } = scene
  const path = dashboardPath(hotel)
  const wanted = { method: 'GET', path, ...(accept !== undefined && { accept }) }
  return {
    name,
    role,
    async setup() {
      const server = await start()
      return measureStaffLoad({ world, server, load, command: 'run', input: { wanted } })
    },
  }
}

interface PlainVariant {
  readonly name: string
  readonly role: Role
  readonly program: URL
  readonly path: string
  readonly json?: unknown
}

function plainVariant(scene: Scene, { name, role, program, ...input }: PlainVariant): Variant {
  const { world, upstreams, hotel, load } = scene
  return {
    name,
    role,
    async setup() {
      const given = { ...upstreams, ...hotel, calls: dashboardCalls(hotel) }
      const server = await startPageServer(world, program, given)
      return measureStaffLoad({ world, server, load, command: 'runPlain', input })
    },
  }
}

/** The bytes of the real dashboard. */
async function startReady({ world, body }: Scene): Promise<PageServer> {
  const redisUrl = await world.emptyRedis('session')
  const program = new URL('./bare-proof.ts', import.meta.url)
  return await startPageServer(world, program, { redisUrl, body })
}
