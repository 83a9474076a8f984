import type { Tool } from '@melmastoon/one-machine'
import { CPU_METRICS } from '../../harness/cpu-per-piece.ts'
import { findWrk } from '../../harness/http-load.ts'
import { type PageServer, startPageServer } from '../../harness/page-server.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Goal, Role, Row, Variant } from '../../harness/row.ts'
import { coldQueries, coldScript } from '../search/queries.ts'
import {
  openSession,
  SEARCH,
  type SearchEnvironment,
  startConsumer,
  startSearchEnvironment,
} from '../search/search-environment.ts'
import { loadPage } from '../warm-page/page-variant.ts'
import { writeScript } from '../warm-page/warm-variants.ts'
import { QUERY } from './graphql-query.ts'

const BARE = 'the three calls, responses parsed'
const TWO = 'the two calls without brands, responses parsed'
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
  {
    text: 'CPU of a cold search against three calls',
    metric: 'cpuUs',
    variant: US,
    against: BARE,
    atMost: 1.5,
  },
  {
    text: 'pages per core against Mercurius',
    metric: 'perCore',
    variant: US,
    against: MERCURIUS,
    atLeast: 2.2,
    columns: { peer: MERCURIUS },
  },
  {
    text: 'pages per core against Apollo Server',
    metric: 'perCore',
    variant: US,
    against: APOLLO,
    atLeast: 2.2,
    columns: { peer: APOLLO },
  },
]

const CONNECTIONS = 4
const SHORT_QUERIES = 40
const GUESTS = 64
/** A page takes milliseconds, so measuring a few thousand takes seconds. */
const WARM_SECONDS = 6

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
  const { world, environment } = scene
  const { upstreams, secret } = environment
  const start =
    (program: URL, more: object = {}) =>
    () =>
      startPageServer(world, program, { upstreams, secret, ...more })
  const peer = (file: string) => start(peerProgram(file))
  const calls = new URL('./bare-calls.ts', import.meta.url)
  const [three, two] = [start(calls), start(calls, { withBrands: false })]
  return [
    cold(scene, { name: BARE, role: 'floor', start: three, path: '/' }),
    // Brands change rarely: we cache them for longer than pages, and make these two calls.
    cold(scene, { name: TWO, role: 'limit', start: two, path: '/' }),
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

/** No query is repeated, in any round or variant, and the stay differs from the last one. */
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
      const cookies = server.cookies ?? ['none=1']
      const text = coldScript({ query: environment.query, wrap, cookies })
      const script = writeScript(world, `cold-${server.pid}.lua`, text)
      return loadPage({
        world,
        wrk,
        server,
        path,
        bodies,
        script,
        headers: world.short ? { cookie: cookies[0] ?? '' } : {},
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
