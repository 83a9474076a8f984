import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { newId, type PropertyId, type TenantId } from '@melmastoon/domain'

/** `lying`: an answer that is JSON and breaks the contract. */
export type Mood = 'well' | 'down' | 'hanging' | 'dropping' | 'lying'
export type Name = 'search' | 'pricing' | 'theme'

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

/** Three upstreams in one real server, well until told otherwise. */
export async function startStandIn(hotels = someHotels()): Promise<StandIn> {
  const well = (): Behaviour => ({ mood: 'well', delayMs: 0 })
  const stand: Omit<StandIn, 'url' | typeof Symbol.asyncDispose> = {
    behaviour: { search: well(), pricing: well(), theme: well() },
    hotels,
    asked: [],
    capturedAt: () => new Date().toISOString(),
    previewExtra: {},
    searchExtra: {},
    count: (name) => stand.asked.filter(({ upstream }) => upstream === name).length,
    mend() {
      const behaviour = { search: well(), pricing: well(), theme: well() }
      Object.assign(stand, { behaviour, previewExtra: {}, searchExtra: {} })
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
  'behaviour' | 'hotels' | 'asked' | 'capturedAt' | 'previewExtra' | 'searchExtra'
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
  if (asked.body['cursor'] === 'broken') {
    return { status: 400, body: { code: 'MELMASTOON.SEARCH.CURSOR_INVALID' } }
  }
  return { status: 200, body: ANSWERS[asked.upstream](stand, asked) }
}

function lieOf(upstream: Name): unknown {
  if (upstream === 'pricing') return { previews: [{ propertyId: 'cheap', status: 'priced' }] }
  return upstream === 'theme' ? { peeks: 'none' } : { total: 'many', items: [] }
}

const ANSWERS: Record<Name, (stand: Stand, asked: Asked) => unknown> = {
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
