import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { newId, type PropertyId, type TenantId } from '@melmastoon/domain'

/** `lying`: an answer that is JSON and breaks the contract. */
export type Mood = 'well' | 'down' | 'hanging' | 'dropping' | 'lying'
export type Name = 'search' | 'pricing' | 'theme' | 'property' | 'tenant'

export interface Behaviour {
  mood: Mood
  delayMs: number
}

export interface Hotel {
  propertyId: PropertyId
  tenantId: TenantId
  city: string
  name: string
  nightlyMicro: string
  deliveryRegion: string
  openedOn: string
}

export interface Asked {
  upstream: Name
  path: string
  body: Record<string, unknown>
  headers: IncomingMessage['headers']
}

export interface StandIn extends AsyncDisposable {
  readonly url: string
  behaviour: Record<Name, Behaviour>
  readonly hotels: Hotel[]
  readonly asked: Asked[]
  capturedAt: () => string
  /** What `priced` hotels answer besides; for prices that keep the contract and make no sense. */
  previewExtra: Record<string, unknown>
  /** What a search answers besides. */
  searchExtra: Record<string, unknown>
  /** Tenants that the tenant service calls suspended. */
  readonly suspended: Set<TenantId>
  count(upstream: Name): number
  mend(): void
}

/** Kabul's dozen, each of a tenant of its own, and two in Herat. */
function someHotels(): Hotel[] {
  return Array.from({ length: 14 }, (_, at) => ({
    propertyId: newId('ppt'),
    tenantId: newId('tnt'),
    city: at < 12 ? 'kabul' : 'herat',
    name: `Hotel ${at}`,
    nightlyMicro: String(2_500_000_000 + at * 10_000),
    deliveryRegion: at === 1 ? 'europe-west4' : 'asia-south1',
    openedOn: at === 2 ? new Date().toISOString().slice(0, 10) : '2019-05-01',
  }))
}

/** Five upstreams in one real server, well until told otherwise. */
export async function startStandIn(hotels = someHotels()): Promise<StandIn> {
  const well = (): Behaviour => ({ mood: 'well', delayMs: 0 })
  const allWell = () => ({
    search: well(),
    pricing: well(),
    theme: well(),
    property: well(),
    tenant: well(),
  })
  const stand: Omit<StandIn, 'url' | typeof Symbol.asyncDispose> = {
    behaviour: allWell(),
    hotels,
    asked: [],
    capturedAt: () => new Date().toISOString(),
    previewExtra: {},
    searchExtra: {},
    suspended: new Set(),
    count: (name) => stand.asked.filter(({ upstream }) => upstream === name).length,
    mend() {
      Object.assign(stand, { behaviour: allWell(), previewExtra: {}, searchExtra: {} })
    },
  }
  const server = createServer((request, response) => void serve(stand, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(stand, {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

type Stand = Pick<
  StandIn,
  'behaviour' | 'hotels' | 'asked' | 'capturedAt' | 'previewExtra' | 'searchExtra' | 'suspended'
>

async function serve(stand: Stand, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const [, upstream = '', ...rest] = (request.url ?? '').split('/')
  const asked: Asked = {
    upstream: upstream as Name,
    path: rest.join('/'),
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    headers: request.headers,
  }
  stand.asked.push(asked)
  const { mood, delayMs } = stand.behaviour[asked.upstream]
  if (delayMs > 0) await delay(delayMs)
  if (mood === 'hanging') return
  if (mood === 'dropping') {
    request.socket.destroy()
    return
  }
  const { status, body } = answerIn(mood, stand, asked)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function answerIn(mood: Mood, stand: Stand, asked: Asked): { status: number; body: unknown } {
  if (mood === 'down') return { status: 503, body: { code: 'DOWN' } }
  if (mood === 'lying') return { status: 200, body: lieOf(asked.upstream) }
  if (asked.path.startsWith('api/v1/search/hotels/')) return readHotel(stand, asked)
  if (asked.path.endsWith('/search/listings')) return { status: 200, body: listById(stand, asked) }
  if (asked.path.endsWith('/search/clicks')) return { status: 200, body: { accepted: true } }
  if (asked.body['cursor'] === 'broken') {
    return { status: 400, body: { code: 'MELMASTOON.SEARCH.CURSOR_INVALID' } }
  }
  const body = ANSWERS[asked.upstream](stand, asked)
  const isUnknown = Object.keys(body).length === 0
  return isUnknown
    ? { status: 404, body: { code: NOT_FOUND[asked.upstream] } }
    : { status: 200, body }
}

const NOT_FOUND: Record<string, string> = {
  property: 'MELMASTOON.PROPERTY.NOT_FOUND',
  tenant: 'MELMASTOON.TENANT.NOT_FOUND',
}

function lieOf(upstream: Name): unknown {
  if (upstream === 'pricing') return { previews: [{ propertyId: 'cheap', status: 'priced' }] }
  return upstream === 'theme' ? { peeks: 'none' } : { total: 'many', items: [] }
}

const ANSWERS: Record<Name, (stand: Stand, asked: Asked) => object> = {
  property: (stand, { path }) => propertyDetail(stand, path.split('/').at(-1) ?? ''),
  tenant: (stand, { path }) => tenantOf(stand, path.split('/').at(-1) ?? ''),
  search: (stand, { body }) => {
    const { city } = body['geo'] as { city?: string }
    const matching = stand.hotels.filter((hotel) => city === undefined || hotel.city === city)
    const from = Number(body['cursor'] ?? 0)
    const to = from + Number(body['limit'])
    return {
      total: matching.length,
      items: matching.slice(from, to).map((hotel) => ({ ...hit(hotel), ...distance(body) })),
      ...(to < matching.length && { nextCursor: String(to) }),
      ...(body['withFacets'] === true && { facets: FACETS }),
      degradationLevel: 'none',
      indexedAt: new Date().toISOString(),
      ...stand.searchExtra,
    }
  },
  pricing: (stand, { body }) => ({
    previews: (body['propertyIds'] as string[]).map((id) => preview(stand, id, body)),
    capturedAt: stand.capturedAt(),
    validUntil: stand.capturedAt(),
  }),
  theme: (_stand, { body }) => ({
    peeks: (body['tenantIds'] as string[]).map((tenantId) => ({
      tenantId,
      primaryColor: '#005f56',
      logoUrl: `https://logos.example/${tenantId}.svg`,
      brandName: { default: 'House of guests', localized: { 'fa-AF': 'مهمان‌سرا' } },
      version: 3,
      secret: 'must not get through',
    })),
  }),
}

const LOCALIZED = (text: string) => ({ default: text, localized: { 'fa-AF': `${text} فا` } })

function propertyDetail({ hotels }: Stand, id: string) {
  const hotel = hotels.find(({ propertyId }) => propertyId === id)
  if (hotel === undefined) return {}
  const { propertyId, tenantId, city, name, openedOn } = hotel
  const place = { key: city, name: LOCALIZED(city) }
  const photo = (isHero: boolean) => ({
    photoId: newId('pht'),
    url: `https://photos.example/${isHero ? 'hero' : 'room'}.jpg`,
    alt: LOCALIZED('The house'),
    isHero,
  })
  return {
    propertyId,
    tenantId,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    version: 4,
    name: LOCALIZED(name),
    geo: { lat: 34.5, lng: 69.2 },
    timeZone: 'Asia/Kabul',
    propertyType: 'hotel',
    starRating: 3,
    guestRating: { value: 8.4, count: 120 },
    shariaCompliant: true,
    openedOn,
    description: LOCALIZED('A house by the river.'),
    address: {
      line: '5 Flower Street',
      nativeLine: 'کوچه گل فروشی ۵',
      city: place,
      region: place,
      country: 'AF',
    },
    amenities: [{ code: 'wifi', name: LOCALIZED('Wi-Fi') }],
    photos: [photo(true), photo(false)],
    policies: {
      cancellation: {
        kind: 'free',
        freeUntilHours: 48,
        penaltyBasisPoints: 0,
        text: LOCALIZED('Free until two days before.'),
      },
      checkInTime: '14:00',
      checkOutTime: '11:00',
      houseRules: [],
    },
    roomTypes: [
      {
        roomTypeId: newId('rmt'),
        kind: 'twin',
        name: LOCALIZED('Twin room'),
        adultsMax: 2,
        childrenMax: 1,
        occupancyMax: 3,
        sizeSqm: 20,
        beds: [{ kind: 'single', count: 2 }],
        roomCount: 8,
        photos: [photo(false)],
      },
    ],
    updatedAt: new Date().toISOString(),
    ownerPhone: '+93700000000',
  }
}

function tenantOf({ hotels, suspended }: Stand, id: string) {
  const hotel = hotels.find(({ tenantId }) => tenantId === id)
  if (hotel === undefined) return {}
  const now = new Date().toISOString()
  return {
    tenantId: hotel.tenantId,
    slug: hotel.name.toLowerCase().replaceAll(' ', '-'),
    legalName: hotel.name,
    displayName: LOCALIZED(hotel.name),
    status: suspended.has(hotel.tenantId) ? 'suspended' : 'active',
    country: 'AF',
    region: hotel.deliveryRegion,
    customDomains: [],
    config: {
      version: 1,
      timeZone: 'Asia/Kabul',
      locales: ['en'],
      defaultLocale: 'en',
      currencies: ['AFN'],
      primaryCurrency: 'AFN',
      paymentMethods: ['cash_on_arrival'],
      paymentEnabled: true,
      checkInTime: '14:00',
      checkOutTime: '11:00',
      policies: {
        privacy: LOCALIZED('Private'),
        terms: LOCALIZED('Terms'),
        accessibility: LOCALIZED('Open'),
      },
    },
    createdAt: now,
    updatedAt: now,
  }
}

function listById({ hotels }: Stand, { body }: Asked) {
  const wanted = body['propertyIds'] as string[]
  const found = hotels.filter(({ propertyId }) => wanted.includes(propertyId))
  return { listings: found.map(listing), indexedAt: new Date().toISOString() }
}

const FACETS = {
  amenities: { wifi: 12 },
  starRating: { 3: 7 },
  propertyType: { hotel: 12 },
  neighbourhoods: {},
  cities: { kabul: 12 },
}

function readHotel({ hotels }: Stand, { path }: Asked): { status: number; body: unknown } {
  const hotel = hotels.find(({ propertyId }) => path.endsWith(propertyId))
  if (hotel === undefined) return { status: 404, body: { code: 'MELMASTOON.PROPERTY.NOT_FOUND' } }
  const popularity = { bookedLast24h: 0, viewedLast1h: 0 }
  const indexedAt = new Date().toISOString()
  return { status: 200, body: { listing: listing(hotel), popularity, similar: [], indexedAt } }
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
    geo: { lat: 34.5, lng: 69.2 },
    thumbnail: {
      url: 'https://photos.example/1.jpg',
      alt: { default: 'The house', localized: { 'ps-AF': 'کور', 'fa-AF': 'خانه' } },
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

function preview(stand: Stand, propertyId: string, body: Record<string, unknown>) {
  const hotel = stand.hotels.find((candidate) => candidate.propertyId === propertyId)
  if (hotel === undefined) return { propertyId, status: 'unavailable' }
  const { currency } = body
  const total = String(BigInt(hotel.nightlyMicro) * 2n)
  return {
    propertyId,
    status: 'priced',
    cheapestNightly: { amountMicro: hotel.nightlyMicro, currency },
    totalForStay: { amountMicro: total, currency },
    currencyDisplayPolicy: 'user-preferred',
    ...stand.previewExtra,
  }
}
