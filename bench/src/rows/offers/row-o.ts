import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Part, Row, Variant } from '../../harness/row.ts'
import { NotHere } from '../../harness/run-part.ts'
import { startWorker } from '../../harness/worker.ts'
import { type Cold, coldVariant } from '../other-pages/cold-stay.ts'
import { findHotels, type Hotel, hotelPath } from '../other-pages/page-requests.ts'
import { warmPart } from '../other-pages/row-p.ts'
import {
  type ConsumerServer,
  type SearchEnvironment,
  startConsumer,
  startSearchEnvironment,
} from '../search/search-environment.ts'
import type { PageServer } from '../warm-page/page-variant.ts'
import { PAGE_FRESH_MS, US, WARM_METRICS } from '../warm-page/warm-variants.ts'
import { calendarPath, coldCalendar } from './cold-calendar.ts'

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
    const warm = (title: string, path: string, databases: [number, number]) =>
      warmPart(world, us, { title, request: { path, isVolatile: true }, databases })
    return [
      await warm('warm offers', offers, [66, 67]),
      coldPart(scene, 'cold offers', (cold) => coldVariant(world, offers, environment.query, cold)),
      await warm('warm calendar', calendar, [68, 69]),
      coldPart(scene, 'cold calendar', (cold) =>
        coldCalendar(world, calendar, environment.query, cold),
      ),
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
function coldPart(scene: Scene, title: string, variant: (cold: Cold) => Variant): Part {
  const { world, us } = scene
  const ours = async () => ({ ...us, [Symbol.asyncDispose]: async () => undefined })
  const bare = () => startPeer(scene, new URL('./bare-offers.ts', import.meta.url))
  const fastify = () => startPeer(scene, peerProgram('fastify-offers.mjs'))
  return {
    title,
    metrics: WARM_METRICS,
    variants: [
      variant({ name: BARE, role: 'floor', start: bare }),
      variant({ name: US, role: 'us', start: ours }),
      variant({ name: FASTIFY, role: 'peer', start: fastify }),
    ],
    rounds: world.pick(5, 1),
    compare: 'cpuUs',
  }
}

async function startPeer({ world, environment, hotel }: Scene, program: URL): Promise<PageServer> {
  const isPeer = program.pathname.includes('/peers/')
  if (isPeer && !world.peersInstalled) throw new NotHere('not installed; the full run installs it')
  const worker = startWorker(program)
  const { upstreams, secret } = environment
  const { propertyId } = hotel
  const port = await worker.run('start', { upstreams, secret, propertyId })
  return {
    url: `http://127.0.0.1:${String(port)}`,
    pid: worker.pid,
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}
