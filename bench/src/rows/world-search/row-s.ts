import type { Tool } from '@melmastoon/one-machine'
import { findWrk } from '../../harness/http-load.ts'
import type { BenchWorld, Role, Row, Variant } from '../../harness/row.ts'
import { warmScript } from '../search/queries.ts'
import { type SearchEnvironment, startSearchEnvironment } from '../search/search-environment.ts'
import { loadPage } from '../warm-page/page-variant.ts'
import { writeScript } from '../warm-page/warm-variants.ts'
import { SEARCH_UPSTREAM, worldSearch } from './world-search.ts'

const CPU_US_MAX = 20_000
const KABUL = { lat: 34.5281, lng: 69.1723 }
const CHOOSY = {
  priceRange: { minMicro: '10000000', maxMicro: '200000000', currency: 'USD' },
  amenities: ['wifi', 'breakfast'],
  starRating: [2, 3, 4, 5],
  guestRatingMin: 6,
  propertyType: ['hotel', 'guesthouse'],
  cancellationFlexibility: 'partial',
}

/** Name of the variant → the difference from a plain search of the whole demo world. */
const SEARCHES: Readonly<Record<string, object>> = {
  'the whole world in a box': {},
  'the same by price': { sortKey: 'price-asc' },
  'the same with facets, 200 a page': { withFacets: true, limit: 200 },
  'a city by its Dari name': { geo: { mode: 'city', city: 'کابل' } },
  '500 km around a point': { geo: { mode: 'point', point: { ...KABUL, radiusKm: 500 } } },
  'every filter': { filters: CHOOSY },
  'words in a name': { filters: { text: 'hotel' } },
}

export const rowS: Row = {
  id: 'S',
  title: 'A search over the whole demo world, in the sandbox, by HTTP',
  async parts(world) {
    const environment = await startSearchEnvironment(world)
    const wrk = world.short ? null : await findWrk()
    const names = Object.keys(SEARCHES)
    return [
      {
        title: 'search',
        metrics: [
          { key: 'cpuUs', label: 'CPU µs', digits: 0 },
          { key: 'p50Ms', label: 'p50 ms', digits: 2 },
          { key: 'p99Ms', label: 'p99 ms', digits: 2 },
          { key: 'bytes', label: 'bytes', digits: 0 },
          { key: 'mib', label: 'RSS MiB', digits: 0 },
        ],
        variants: names.map((name, index) =>
          searching({ world, environment, wrk }, name, index === 0 ? 'floor' : 'us'),
        ),
        rounds: world.pick(3, 1),
        compare: 'cpuUs',
        goals: names.map((name) => ({
          text: `CPU of ${name}, µs`,
          metric: 'cpuUs',
          variant: name,
          atMost: CPU_US_MAX,
          columns: { us: name },
        })),
      },
    ]
  },
}

interface Scene {
  readonly world: BenchWorld
  readonly environment: SearchEnvironment
  readonly wrk: Tool | null
}

function searching({ world, environment, wrk }: Scene, name: string, role: Role): Variant {
  return {
    name,
    role,
    async setup() {
      const body = JSON.stringify({ ...worldSearch(environment.query), ...SEARCHES[name] })
      const file = `search-${Object.keys(SEARCHES).indexOf(name)}.lua`
      const script = writeScript(world, file, warmScript(body))
      return loadPage({
        world,
        wrk,
        server: environment.sandbox,
        path: SEARCH_UPSTREAM,
        headers: { authorization: `Bearer ${environment.secret}`, 'x-calling-service': 'bench' },
        expect: { status: 200 },
        bodies: [body],
        script,
        connections: 2,
      })
    },
  }
}
