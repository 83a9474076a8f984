import type { UpstreamRequest, UpstreamResponse, UpstreamState } from './types.ts'

const CITIES = {
  kabul: { name: { default: 'Kabul', localized: { 'fa-AF': 'کابل' } }, lat: 34.5, lng: 69.2 },
  herat: { name: { default: 'Herat', localized: { 'fa-AF': 'هرات' } }, lat: 34.35, lng: 62.2 },
} as const

const FACETS = {
  amenities: { wifi: 12, garden: 3 },
  starRating: { 3: 7 },
  propertyType: { hotel: 12 },
  neighbourhoods: { 'Shahr-e Naw': 2 },
  cities: { kabul: 12 },
}

const NEIGHBOURHOODS = {
  'Shahr-e Naw': { default: 'Shahr-e Naw', localized: { 'fa-AF': 'شهر نو' } },
}

/** Responses of the search projection other than lists: pins, nights, suggestions and facets. */
export function placeResponse(
  state: UpstreamState,
  request: UpstreamRequest,
): UpstreamResponse | undefined {
  const [path = '', query = ''] = request.path.split('?')
  const params = new URLSearchParams(query)
  if (path.endsWith('/search/map')) return ok(drawPins(state, request.body))
  if (path.endsWith('/availability')) return listNights(state, path, params)
  if (path.endsWith('/search/suggest')) return ok({ suggestions: suggest(state, params) })
  if (path.endsWith('/search/facets')) return ok(countAll(state))
  return undefined
}

function ok(body: object): UpstreamResponse {
  return { status: 200, body: { indexedAt: new Date().toISOString(), ...body } }
}

interface Box {
  readonly swLat: number
  readonly swLng: number
  readonly neLat: number
  readonly neLng: number
}

function drawPins({ hotels, searchExtra }: UpstreamState, body: Record<string, unknown>) {
  const { boundingBox } = body['geo'] as { boundingBox: Box }
  const { swLat, swLng, neLat, neLng } = boundingBox
  const inside = hotels
    .map(({ propertyId, tenantId, city }) => {
      const { lat, lng } = CITIES[city as keyof typeof CITIES]
      return { propertyId, tenantId, geo: { lat, lng }, ownerPhone: '+93700000000' }
    })
    .filter(({ geo }) => geo.lat >= swLat && geo.lat <= neLat)
    .filter(({ geo }) => geo.lng >= swLng && geo.lng <= neLng)
  return { total: inside.length, pins: inside.slice(0, Number(body['limit'])), ...searchExtra }
}

function listNights(
  { hotels }: UpstreamState,
  path: string,
  params: URLSearchParams,
): UpstreamResponse {
  const propertyId = path.split('/').at(-2)
  if (!hotels.some((hotel) => hotel.propertyId === propertyId)) {
    return { status: 404, body: { code: 'MELMASTOON.PROPERTY.NOT_FOUND' } }
  }
  const nights: object[] = []
  const end = Date.parse(params.get('to') ?? '')
  for (let at = Date.parse(params.get('from') ?? ''); at < end; at += 86_400_000) {
    const night = new Date(at).toISOString().slice(0, 10)
    nights.push({ night, roomsLeft: nights.length % 4, roomsTotal: 8, soldTo: 'nobody' })
  }
  return ok({ propertyId, nights })
}

function suggest({ hotels }: UpstreamState, params: URLSearchParams) {
  const typed = params.get('q') ?? ''
  const places = Object.entries(CITIES)
    .filter(([key, { name }]) => key.startsWith(typed) || name.localized['fa-AF'].startsWith(typed))
    .map(([key, { name, lat, lng }]) => ({
      kind: 'city',
      key,
      name,
      country: 'AF',
      geo: { lat, lng },
      properties: hotels.filter(({ city }) => city === key).length,
      boundingBox: { swLat: 34, swLng: 62, neLat: 35, neLng: 70 },
      search: { geo: { mode: 'city', city: key } },
      match: typed === '' ? 'popular' : 'exact',
    }))
  const named = hotels
    .filter(({ name }) => typed !== '' && name.toLowerCase().startsWith(typed))
    .map(({ propertyId, name }) => ({
      kind: 'property',
      key: propertyId,
      name: { default: name },
      country: 'AF',
      city: { key: 'kabul', name: CITIES.kabul.name },
      geo: { lat: 34.5, lng: 69.2 },
      properties: 1,
      match: 'exact',
    }))
  return [...places, ...named].slice(0, Number(params.get('limit') ?? 8))
}

function countAll({ hotels, searchExtra }: UpstreamState) {
  return {
    facets: FACETS,
    total: hotels.length,
    names: { neighbourhoods: NEIGHBOURHOODS, cities: { kabul: CITIES.kabul.name } },
    ...searchExtra,
  }
}
