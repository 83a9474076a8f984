import { kept, type PageServer } from '../../harness/page-server.ts'
import type { BenchWorld, Part, Variant } from '../../harness/row.ts'
import { warmScript } from '../search/queries.ts'
import {
  type ConsumerServer,
  openSession,
  SEARCH,
  type SearchEnvironment,
  startConsumer,
  startSearchEnvironment,
} from '../search/search-environment.ts'
import { loadPage, type PageLoad } from '../warm-page/page-variant.ts'
import { findLoad, PAGE_FRESH_MS, WARM_METRICS, writeScript } from '../warm-page/warm-variants.ts'
import { SEARCH_UPSTREAM, worldSearch } from '../world-search/world-search.ts'
import { coldLoad, warmLoad } from './concurrency-parts.ts'

/** Of the usual demo data. */
const HOTELS_USUAL = 3_600
const HOTELS_MORE = 20_000
/** Its demo data takes minutes to write: `--growth full`. */
const HOTELS_FULL = 100_000
const CONNECTIONS = 4
const GUESTS = 64

interface Scene {
  readonly hotels: number
  readonly environment: SearchEnvironment
  readonly us: ConsumerServer
  readonly cookies: readonly string[]
}

/** The same searches over more and more hotels. */
export async function hotelParts(
  world: BenchWorld,
  usual: Pick<Scene, 'environment' | 'us'>,
): Promise<Part[]> {
  const scenes: Scene[] = [{ ...usual, hotels: HOTELS_USUAL, cookies: await openSome(usual.us) }]
  const more = world.growth === 'full' ? [HOTELS_MORE, HOTELS_FULL] : [HOTELS_MORE]
  for (const hotels of more) scenes.push(await createScene(world, hotels))
  const part = (title: string, variant: (scene: Scene) => Variant): Part => ({
    title,
    metrics: WARM_METRICS,
    variants: scenes.map(variant),
    rounds: world.pick(3, 1),
    compare: 'cpuUs',
  })
  return [
    part('hotels: a search in the sandbox', (scene) => sandboxVariant(world, scene)),
    part('hotels: warm search', (scene) => {
      const { us, environment } = scene
      const load = warmLoad(world, environment.query, us.cookie)
      return searchVariant(world, scene, { server: us, ...load })
    }),
    part('hotels: cold search', (scene) => {
      const { us, environment, cookies } = scene
      const load = coldLoad(world, environment.query, cookies)
      return searchVariant(world, scene, { server: us, ...load })
    }),
  ]
}

async function createScene(world: BenchWorld, hotels: number): Promise<Scene> {
  const env = { WORLD_PROPERTIES: String(hotels) }
  const environment = await startSearchEnvironment(world, { env })
  const us = await startConsumer(world, environment, { pageFreshMs: PAGE_FRESH_MS })
  return { hotels, environment, us, cookies: await openSome(us) }
}

function openSome({ url }: ConsumerServer): Promise<string[]> {
  return Promise.all(Array.from({ length: GUESTS }, () => openSession(url)))
}

function sandboxVariant(world: BenchWorld, scene: Scene): Variant {
  const { environment, hotels } = scene
  const body = JSON.stringify(worldSearch(environment.query))
  const script = writeScript(world, `hotels-${hotels}.lua`, warmScript(body))
  const headers = { authorization: `Bearer ${environment.secret}`, 'x-calling-service': 'bench' }
  const load = { path: SEARCH_UPSTREAM, bodies: [body], script, headers }
  return searchVariant(world, scene, { server: environment.sandbox, ...load })
}

interface Searched extends Pick<PageLoad, 'headers'>, Partial<Omit<PageLoad, 'headers'>> {
  readonly server: PageServer
}

function searchVariant(
  world: BenchWorld,
  { hotels }: Scene,
  { server, ...load }: Searched,
): Variant {
  return {
    name: `${hotels.toLocaleString('en-US')} hotels`,
    role: hotels === HOTELS_USUAL ? 'floor' : 'us',
    async setup() {
      const start = kept(server)
      const request = { path: SEARCH, expect: { status: 200 }, connections: CONNECTIONS }
      const [wrk, running] = [await findLoad(world), await start()]
      return loadPage({ world, wrk, server: running, ...request, ...load })
    },
  }
}
