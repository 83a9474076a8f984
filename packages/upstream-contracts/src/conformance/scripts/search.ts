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
    await search.query({
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
    await search.suggest({ query: { q: city.slice(0, 3) } })
    await search.facets({})
    await search.click({ body: { ...params, position: 0 } })
  },
}
