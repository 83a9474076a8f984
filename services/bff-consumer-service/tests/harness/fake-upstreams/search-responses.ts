import type { Hotel, UpstreamRequest, UpstreamResponse, UpstreamState } from './types.ts'

export function search(state: UpstreamState, { body }: UpstreamRequest) {
  const { city } = body['geo'] as { city?: string }
  const matching = listed(state).filter((hotel) => city === undefined || hotel.city === city)
  const from = Number(body['cursor'] ?? 0)
  const to = from + Number(body['limit'])
  return {
    total: matching.length,
    items: matching.slice(from, to).map((hotel) => ({ ...hit(hotel), ...distance(body) })),
    ...(to < matching.length && { nextCursor: String(to) }),
    ...(body['withFacets'] === true && { facets: FACETS }),
    degradationLevel: 'none',
    indexedAt: new Date().toISOString(),
    ...state.searchExtra,
  }
}

export function listById(state: UpstreamState, { body }: UpstreamRequest) {
  const wanted = body['propertyIds'] as string[]
  const found = listed(state).filter(({ propertyId }) => wanted.includes(propertyId))
  return { listings: found.map(listing), indexedAt: new Date().toISOString() }
}

const FACETS = {
  amenities: { wifi: 12 },
  starRating: { 3: 7 },
  propertyType: { hotel: 12 },
  neighbourhoods: {},
  cities: { kabul: 12 },
}

/** Similar hotels are the next four in the same city. */
export function readHotel(state: UpstreamState, { path }: UpstreamRequest): UpstreamResponse {
  const hotels = listed(state)
  const at = hotels.findIndex(({ propertyId }) => path.endsWith(propertyId))
  const hotel = hotels[at]
  if (hotel === undefined) return { status: 404, body: { code: 'MELMASTOON.PROPERTY.NOT_FOUND' } }
  const inTown = hotels.slice(at + 1).filter(({ city }) => city === hotel.city)
  const body = {
    listing: listing(hotel),
    popularity: { bookedLast24h: 3, viewedLast1h: 21, bookers: ['must not get through'] },
    similar: inTown.slice(0, 4).map(listing),
    indexedAt: new Date().toISOString(),
  }
  return { status: 200, body }
}

function listed({ hotels, unlisted }: UpstreamState): Hotel[] {
  return hotels.filter(({ propertyId }) => !unlisted.has(propertyId))
}

function listing({ propertyId, tenantId, city, name, deliveryRegion, openedOn }: Hotel) {
  return {
    propertyId,
    tenantId,
    tenantSlug: name.toLowerCase().replaceAll(' ', '-'),
    name: { default: name, localized: { 'ps-AF': `${name} هوټل` } },
    city,
    cityName: { default: city, localized: { 'fa-AF': city === 'kabul' ? 'کابل' : 'هرات' } },
    region: city,
    country: 'AF',
    neighbourhood: 'Shahr-e Naw',
    neighbourhoodName: { default: 'Shahr-e Naw', localized: { 'fa-AF': 'شهر نو' } },
    geo: { lat: 34.5, lng: 69.2 },
    timeZone: 'Asia/Kabul',
    thumbnail: {
      url: 'https://photos.example/1.jpg',
      alt: { default: 'The house', localized: { 'ps-AF': 'کور', 'fa-AF': 'خانه' } },
      width: 800,
      height: 500,
      sources: [{ url: 'https://photos.example/1/320.webp', width: 320, format: 'webp' }],
    },
    propertyType: 'hotel',
    starRating: 3,
    guestRating: { value: 8.4, count: 120 },
    amenityHighlights: ['wifi', 'prayer-room'],
    cancellationFlexibility: 'free',
    shariaCompliant: true,
    openedOn,
    deliveryRegion,
    ownerPhone: '+93700000000',
  }
}

function hit(hotel: Hotel) {
  return { ...listing(hotel), roomsLeft: 3, score: 500, reasons: [] }
}

function distance(body: Record<string, unknown>) {
  return (body['geo'] as { mode: string }).mode === 'point' ? { distanceKm: 1.25 } : {}
}
