import { kept, type PageServer } from '../../harness/page-server.ts'
import type { BenchWorld, Part, Variant } from '../../harness/row.ts'
import { coldQueries, coldScript, type Query, warmScript } from '../search/queries.ts'
import {
  type ConsumerServer,
  openSession,
  SEARCH,
  type SearchEnvironment,
} from '../search/search-environment.ts'
import { loadPage, type PageLoad } from '../warm-page/page-variant.ts'
import { findLoad, WARM_METRICS, writeScript } from '../warm-page/warm-variants.ts'

const CONNECTIONS = [1, 2, 4, 8, 16]
const METRICS = [{ key: 'perSecond', label: 'req/s', digits: 0 }, ...WARM_METRICS]
const GUESTS = 64
const SHORT_QUERIES = 40

type SearchLoad = Pick<PageLoad, 'bodies' | 'script' | 'headers'>

/** One process under more and more requests at once. */
export async function concurrencyParts(
  world: BenchWorld,
  { query }: SearchEnvironment,
  us: ConsumerServer,
): Promise<Part[]> {
  const guests = Array.from({ length: GUESTS }, () => openSession(us.url))
  const loads = {
    'warm search, concurrent requests': warmLoad(world, query, us.cookie),
    'cold search, concurrent requests': coldLoad(world, query, await Promise.all(guests)),
  }
  return Object.entries(loads).map(([title, load]) => ({
    title,
    metrics: METRICS,
    variants: CONNECTIONS.map((connections) => atOnce(world, us, { ...load, connections })),
    rounds: world.pick(2, 1),
    compare: 'cpuUs',
  }))
}

export function warmLoad(world: BenchWorld, query: Query, cookie: string): SearchLoad {
  const body = JSON.stringify(query)
  const script = writeScript(world, 'growth-warm.lua', warmScript(body))
  return { bodies: [body], script, headers: { cookie } }
}

/** No query is repeated. */
export function coldLoad(world: BenchWorld, query: Query, cookies: readonly string[]): SearchLoad {
  const bodies = coldQueries(query, SHORT_QUERIES).map((each) => JSON.stringify(each))
  const text = coldScript({ query, wrap: (each) => each, cookies })
  const script = writeScript(world, `growth-cold-${cookies[0]?.slice(-8)}.lua`, text)
  return { bodies, script, headers: world.short ? { cookie: cookies[0] ?? '' } : {} }
}

function atOnce(
  world: BenchWorld,
  us: PageServer,
  load: SearchLoad & { readonly connections: number },
): Variant {
  const { connections } = load
  return {
    name: connections === 1 ? '1 request' : `${connections} requests`,
    role: connections === 1 ? 'floor' : 'us',
    async setup() {
      const [wrk, server] = [await findLoad(world), await kept(us)()]
      return loadPage({ world, wrk, server, path: SEARCH, expect: { status: 200 }, ...load })
    },
  }
}
