import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tool } from '@melmastoon/one-machine'
import { CPU_METRICS } from '../../harness/cpu-per-piece.ts'
import { findWrk } from '../../harness/http-load.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Goal, Role, Row, Variant } from '../../harness/row.ts'
import { NotHere } from '../../harness/run-part.ts'
import { startWorker } from '../../harness/worker.ts'
import { coldQueries, coldScript } from '../search/queries.ts'
import {
  openSession,
  SEARCH,
  type SearchEnvironment,
  startConsumer,
  startSearchEnvironment,
} from '../search/search-environment.ts'
import { loadPage, type PageServer } from '../warm-page/page-variant.ts'
import { QUERY } from './graphql-query.ts'

const BARE = 'the three calls, responses parsed'
const US = 'bff-consumer-service'
const FASTIFY = 'Fastify + undici, written by hand'
const NEST = 'NestJS + axios'
const MERCURIUS = 'Mercurius, compiled queries, loaders'
const APOLLO = 'Apollo Server + REST data sources'

const METRICS = [
  ...CPU_METRICS,
  { key: 'perCore', label: 'pages/s/core', digits: 0 },
  { key: 'p50Ms', label: 'p50 ms', digits: 1 },
  { key: 'p99Ms', label: 'p99 ms', digits: 1 },
  { key: 'bytes', label: 'bytes', digits: 0 },
  { key: 'mib', label: 'RSS MiB', digits: 0 },
]

const GOALS: readonly Goal[] = [
  { text: 'CPU of a cold search', metric: 'cpuUs', variant: US, against: BARE, atMost: 1.3 },
  {
    text: 'pages per core against Mercurius',
    metric: 'perCore',
    variant: US,
    against: MERCURIUS,
    atLeast: 3,
    columns: { peer: MERCURIUS },
  },
  {
    text: 'pages per core against Apollo Server',
    metric: 'perCore',
    variant: US,
    against: APOLLO,
    atLeast: 3,
    columns: { peer: APOLLO },
  },
]

const CONNECTIONS = 4
const SHORT_QUERIES = 40
const GUESTS = 64
/** A page takes milliseconds, so measuring a few thousand takes seconds. */
const WARM_SECONDS = 10

export const rowB: Row = {
  id: 'B',
  title: 'A cold search: listings, prices and brands composed from the sandbox',
  async parts(world) {
    const environment = await startSearchEnvironment(world)
    const wrk = world.short ? null : await findWrk()
    const variants = coldVariants({ world, environment, wrk })
    return [
      {
        title: 'cold search',
        metrics: METRICS,
        variants,
        rounds: world.pick(5, 1),
        compare: 'cpuUs',
        goals: GOALS,
      },
    ]
  },
}

interface Scene {
  readonly world: BenchWorld
  readonly environment: SearchEnvironment
  readonly wrk: Tool | null
}

function coldVariants(scene: Scene): Variant[] {
  const peer = (file: string) => () => startPeer(scene, peerProgram(file))
  const bare = () => startPeer(scene, new URL('./bare-calls.ts', import.meta.url))
  return [
    cold(scene, { name: BARE, role: 'floor', start: bare, path: '/' }),
    cold(scene, { name: US, role: 'us', start: () => startUs(scene), path: SEARCH }),
    cold(scene, {
      name: FASTIFY,
      role: 'peer',
      start: peer('fastify-compose.mjs'),
      path: '/search',
    }),
    cold(scene, { name: NEST, role: 'peer', start: peer('nest-compose.mjs'), path: '/search' }),
    cold(scene, {
      name: MERCURIUS,
      role: 'peer',
      start: peer('mercurius-gateway.mjs'),
      path: '/graphql',
      wrap: asGraphql,
    }),
    cold(scene, {
      name: APOLLO,
      role: 'peer',
      start: peer('apollo-gateway.mjs'),
      path: '/',
      wrap: asGraphql,
    }),
  ]
}

interface Cold {
  readonly name: string
  readonly role: Role
  readonly start: () => Promise<PageServer & { readonly cookies?: readonly string[] }>
  readonly path: string
  readonly wrap?: (query: unknown) => unknown
}

/** No query is repeated, in any round or variant, so caches do not help. */
function cold(
  { world, environment, wrk }: Scene,
  { name, role, start, path, wrap = asIs }: Cold,
): Variant {
  return {
    name,
    role,
    async setup() {
      const server = await start()
      const queries = coldQueries(environment.query, SHORT_QUERIES)
      const bodies = queries.map((query) => JSON.stringify(wrap(query)))
      const open = { ...environment.query, filters: { guestRatingMin: '$TURN' } }
      const script = join(world.folder('wrk'), `cold-${server.pid}.lua`)
      writeFileSync(script, coldScript(JSON.stringify(wrap(open)), server.cookies ?? ['none=1']))
      return loadPage({
        world,
        wrk,
        server,
        path,
        bodies,
        script,
        headers: world.short ? { cookie: server.cookies?.[0] ?? 'none=1' } : {},
        expect: { status: 200 },
        connections: CONNECTIONS,
        warmSeconds: WARM_SECONDS,
      })
    },
  }
}

function asIs(query: unknown): unknown {
  return query
}

function asGraphql(query: unknown): unknown {
  return { query: QUERY, variables: { query } }
}

/** Many guests, since a single one would be rate-limited. */
async function startUs({ world, environment }: Scene) {
  const server = await startConsumer(world, environment, { pageFreshMs: 60_000 })
  const openings = Array.from({ length: GUESTS }, () => openSession(server.url))
  return { ...server, cookies: await Promise.all(openings) }
}

async function startPeer({ world, environment }: Scene, program: URL): Promise<PageServer> {
  const isPeer = program.pathname.includes('/peers/')
  if (isPeer && !world.peersInstalled) throw new NotHere('not installed; the full run installs it')
  const worker = startWorker(program)
  const { upstreams, secret } = environment
  const port = await worker.run('start', { upstreams, secret })
  return {
    url: `http://127.0.0.1:${String(port)}`,
    pid: worker.pid,
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}
