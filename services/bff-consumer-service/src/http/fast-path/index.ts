import type { FastRoutes } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { listOperation } from '../routes/search-hotels.ts'
import { mapOperation } from '../routes/search-map.ts'
import { createAdmission } from './fast-guest.ts'
import { readyAvailability } from './ready-availability.ts'
import { readyFacets } from './ready-facets.ts'
import { readyHotel } from './ready-hotel.ts'
import { readyCalendar, readyOffers } from './ready-prices.ts'
import { readySearch } from './ready-search.ts'

/** The routes whose responses are often ready. */
export function fastRoutes(ctx: ConsumerContext): FastRoutes {
  const admit = createAdmission(ctx)
  return {
    'POST /bff/consumer/v1/search': readySearch(ctx, admit, listOperation),
    'POST /bff/consumer/v1/search/map': readySearch(ctx, admit, mapOperation),
    'GET /bff/consumer/v1/facets': readyFacets(ctx, admit),
    'GET /bff/consumer/v1/hotels/:propertyId': readyHotel(ctx, admit),
    'GET /bff/consumer/v1/hotels/:propertyId/availability': readyAvailability(ctx, admit),
    'GET /bff/consumer/v1/hotels/:propertyId/calendar': readyCalendar(ctx, admit),
    'GET /bff/consumer/v1/hotels/:propertyId/offers': readyOffers(ctx, admit),
  }
}
