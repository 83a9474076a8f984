import type { BenchWorld, Part, Row } from '../../harness/row.ts'
import {
  type ConsumerServer,
  startConsumer,
  startSearchEnvironment,
} from '../search/search-environment.ts'
import { type PageRequest, readPage } from '../warm-page/read-page.ts'
import {
  findLoad,
  PAGE_FRESH_MS,
  readyGoals,
  WARM_METRICS,
  warmVariants,
} from '../warm-page/warm-variants.ts'
import { coldStayPart } from './cold-stay.ts'
import { findHotels, hotelPath, MAP, mapQuery } from './page-requests.ts'

/** The same as row A for other cached pages, and one that is not cached. */
export const rowP: Row = {
  id: 'P',
  title: 'Other pages: a hotel, a map, and a hotel for a stay that is not cached',
  async parts(world) {
    const environment = await startSearchEnvironment(world)
    const us = await startConsumer(world, environment, { pageFreshMs: PAGE_FRESH_MS })
    const [hotel] = await findHotels(us, environment.query)
    if (hotel === undefined) throw new Error('the world has no hotel to show')
    const path = hotelPath(hotel, environment.query)
    const warm = warmPart.bind(null, world, us)
    return [
      await warm({ title: 'warm hotel', request: { path } }),
      await warm({
        title: 'warm map',
        request: { path: MAP, query: mapQuery(environment.query) },
      }),
      await coldStayPart(world, environment, { us, hotel }),
    ]
  },
}

interface Warm {
  readonly title: string
  readonly request: PageRequest
}

export async function warmPart(world: BenchWorld, us: ConsumerServer, warm: Warm): Promise<Part> {
  const { title, request } = warm
  const page = await readPage(us, request)
  const wrk = await findLoad(world)
  return {
    title,
    metrics: WARM_METRICS,
    variants: warmVariants({ world, wrk, page, us, request }),
    rounds: world.pick(3, 1),
    compare: 'cpuUs',
    goals: readyGoals(title, [1.5, 1.5]),
  }
}
