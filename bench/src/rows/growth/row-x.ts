import type { Row } from '../../harness/row.ts'
import { startConsumer, startSearchEnvironment } from '../search/search-environment.ts'
import { PAGE_FRESH_MS } from '../warm-page/warm-variants.ts'
import { concurrencyParts } from './concurrency-parts.ts'
import { hotelParts } from './hotel-parts.ts'
import { pageMemoryPart } from './page-memory-part.ts'
import { sessionPart } from './session-part.ts'

/** What a page costs with more guests, hotels, concurrent requests and pages. */
export const rowX: Row = {
  id: 'X',
  title: 'Growth: sessions, hotels, concurrent requests, pages in memory',
  onlyFull: true,
  async parts(world) {
    const environment = await startSearchEnvironment(world)
    const us = await startConsumer(world, environment, { pageFreshMs: PAGE_FRESH_MS })
    return [
      await sessionPart(world, environment),
      ...(await concurrencyParts(world, environment, us)),
      pageMemoryPart(world, environment),
      ...(await hotelParts(world, { environment, us })),
    ]
  },
}
