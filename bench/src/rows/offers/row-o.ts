import { kept, startPageServer } from '../../harness/page-server.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Part, Row } from '../../harness/row.ts'
import { calendarPath, findHotels, type Hotel, hotelPath } from '../other-pages/page-requests.ts'
import { warmPart } from '../other-pages/row-p.ts'
import {
  type ConsumerServer,
  type SearchEnvironment,
  startConsumer,
  startSearchEnvironment,
} from '../search/search-environment.ts'
import { variedCalendars, variedStays } from '../search/varied-stays.ts'
import { coldVariant, type VariedPaths } from '../warm-page/cold-variant.ts'
import { PAGE_FRESH_MS, US, WARM_METRICS } from '../warm-page/warm-variants.ts'

const BARE = 'the one call, response parsed'
const FASTIFY = 'Fastify + undici, written by hand'

/** Both documents from memory, and for a stay and days that are not cached. */
export const rowO: Row = {
  id: 'O',
  title: 'Offers and calendar of a hotel: warm, and for a stay that is not cached',
  async parts(world) {
    const environment = await startSearchEnvironment(world)
    const us = await startConsumer(world, environment, { pageFreshMs: PAGE_FRESH_MS })
    const [hotel] = await findHotels(us, environment.query)
    if (hotel === undefined) throw new Error('the world has no hotel to show')
    const scene = { world, environment, us, hotel }
    const offers = hotelPath(hotel, environment.query).replace('?', '/offers?')
    const calendar = calendarPath(hotel, environment.query)
    const warm = (title: string, path: string) =>
      warmPart(world, us, { title, request: { path, isVolatile: true } })
    return [
      await warm('warm offers', offers),
      coldPart(scene, 'cold offers', variedStays(offers, environment.query)),
      await warm('warm calendar', calendar),
      coldPart(scene, 'cold calendar', variedCalendars(calendar, environment.query)),
    ]
  },
}

interface Scene {
  readonly world: BenchWorld
  readonly environment: SearchEnvironment
  readonly us: ConsumerServer
  readonly hotel: Hotel
}

/** The property is cached or read in advance by all of them, the prices by none. */
function coldPart(scene: Scene, title: string, paths: VariedPaths): Part {
  const { world, us, environment, hotel } = scene
  const { upstreams, secret } = environment
  const given = { upstreams, secret, propertyId: hotel.propertyId }
  const bare = new URL('./bare-offers.ts', import.meta.url)
  const fastify = peerProgram('fastify-offers.mjs')
  const variant = coldVariant.bind(null, world, paths)
  const start = (program: URL) => () => startPageServer(world, program, given)
  return {
    title,
    metrics: WARM_METRICS,
    variants: [
      variant({ name: BARE, role: 'floor', start: start(bare) }),
      variant({ name: US, role: 'us', start: kept(us) }),
      variant({ name: FASTIFY, role: 'peer', start: start(fastify) }),
    ],
    rounds: world.pick(3, 1),
    compare: 'cpuUs',
  }
}
