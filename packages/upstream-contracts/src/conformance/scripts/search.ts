import type { OffersResponse } from '../../offers.ts'
import { ContractViolation } from '../check.ts'
import type { Script } from '../clients.ts'

const MARGIN_DEGREES = 0.2

export const searchScript: Script = {
  upstream: 'search',
  async run({ clients, testHotel }) {
    const { search } = clients
    const { property, stay, currency } = await testHotel()
    const { lat, lng } = property.geo
    const criteria = {
      stay,
      currency,
      occupancy: { adults: 2, children: 0, rooms: 1 },
      filters: {},
    }
    const city = property.address.city.key
    const found = await search.query({
      body: {
        ...criteria,
        geo: { mode: 'city', city },
        sortKey: 'recommended',
        limit: 5,
        withFacets: true,
      },
    })
    const boundingBox = {
      swLat: lat - MARGIN_DEGREES,
      swLng: lng - MARGIN_DEGREES,
      neLat: lat + MARGIN_DEGREES,
      neLng: lng + MARGIN_DEGREES,
    }
    const geo = { mode: 'bounding-box' as const, boundingBox }
    await search.map({ body: { ...criteria, geo, limit: 50 } })
    const params = { propertyId: property.propertyId }
    await search.hotel({ params })
    await search.listings({ body: { propertyIds: [property.propertyId] } })
    await search.availability({ params, query: { from: stay.checkIn, to: stay.checkOut } })
    const { occupancy } = criteria
    const offers = await search.offers({ params, body: { stay, occupancy, currency } })
    checkOffers(offers)
    await search.stayCalendar({
      params,
      body: { from: stay.checkIn, nights: 14, occupancy, currency },
    })
    const body = { propertyIds: [property.propertyId], stay, occupancy, currency }
    const [preview] = (await clients.pricing.preview({ body })).previews
    if (preview?.totalForStay?.amountMicro !== cheapestOf(offers)) {
      throw new ContractViolation('the preview is not the price of the cheapest offer')
    }
    await search.suggest({ query: {} })
    const query = { q: city, ...stay, ...occupancy }
    const { suggestions } = await search.suggest({ query })
    const suggested = suggestions.find(({ kind, key }) => kind === 'city' && key === city)
    if (suggested?.properties !== found.total) {
      throw new ContractViolation('the count of a suggestion is not the total of its search')
    }
    await search.facets({})
    await search.click({ body: { ...params, position: 0 } })
  },
}

/** An offer is bookable and priced, or says why it is not. */
function checkOffers({ rooms }: OffersResponse): void {
  for (const { price, reason } of rooms.flatMap(({ offers }) => offers)) {
    if ((price === undefined) === (reason === undefined)) {
      throw new ContractViolation('an offer needs either a price or a reason')
    }
  }
}

function cheapestOf({ rooms }: OffersResponse): string | undefined {
  return rooms
    .flatMap(({ offers }) => offers.flatMap(({ price }) => price?.total.amountMicro ?? []))
    .toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))[0]
}
