import type { Locale } from '@melmastoon/domain'
import type { Say } from '../shared/say.ts'
import type { Api } from './open-client.ts'
import { showCard, showName, showRate } from './show.ts'
import type { Link } from './use-link.ts'

const V1 = '/bff/consumer/v1'
const DAY_MS = 86_400_000
const LOCALE: Locale = 'fa-AF'

export interface Traveller {
  readonly api: Api
  readonly say: Say
  readonly today: Date
}

type Card = Awaited<ReturnType<typeof searchKabul>>[number]

/** Everything a traveller can do, in a usual order; returns the booking link. */
export async function travel(traveller: Traveller): Promise<Link> {
  await startSession(traveller)
  await readSuggestions(traveller)
  const cards = await searchKabul(
    traveller,
    'Search Kabul: two nights, two adults, a week from now',
  )
  await chooseCurrency(traveller)
  await searchMap(traveller)
  const chosen = firstOf(await searchKabul(traveller, 'Repeat the search in the new currency'))
  await openHotel(traveller, chosen)
  await compareHotels(traveller, cards.slice(0, 3))
  await changeWishlist(traveller, cards.slice(0, 2))
  return mintHandoff(traveller, chosen)
}

async function startSession({ api, say }: Traveller): Promise<void> {
  const { data } = await api.POST(`${V1}/session`, {
    body: { device: { screen: '412x915', timeZone: 'Asia/Kabul' } },
  })
  say.step('Start a session')
  say.detail(
    `session ${data.id}, language ${data.localePreference}, prices in ${data.currencyPreference}`,
  )
}

async function readSuggestions({ api, say }: Traveller): Promise<void> {
  const query = { q: 'کاب', locale: LOCALE }
  const suggested = await api.GET(`${V1}/suggest`, { params: { query } })
  say.step('Suggestions for «کاب»')
  for (const { kind, name } of suggested.data.suggestions.slice(0, 3)) {
    say.detail(`${typeof name === 'string' ? name : showName(name, LOCALE)} (${kind})`)
  }
  const facets = await api.GET(`${V1}/facets`, {
    params: { query: { locale: LOCALE, currency: 'AFN' } },
  })
  say.detail(
    `${facets.data.total} hotels in total; facets are cacheable: ${facets.response.headers.get('cache-control')}`,
  )
}

async function searchKabul({ api, say, today }: Traveller, title: string) {
  const body = { geo: { mode: 'city' as const, city: 'kabul' }, ...stayOf(today) }
  const { data, response } = await api.POST(`${V1}/search`, { body })
  say.step(title)
  say.detail(`${data.total} hotels, search ${response.headers.get('x-search-session')}`)
  for (const card of data.items.slice(0, 3)) say.detail(showCard(card, LOCALE))
  return data.items
}

async function chooseCurrency({ api, say }: Traveller): Promise<void> {
  const { data } = await api.POST(`${V1}/session/currency`, { body: { currency: 'USD' } })
  say.step(`Change the currency to ${data.currencyPreference}`)
}

async function searchMap({ api, say, today }: Traveller): Promise<void> {
  const boundingBox = { swLat: 34.4, swLng: 69, neLat: 34.7, neLng: 69.4 }
  const body = { geo: { mode: 'bounding-box' as const, boundingBox }, ...stayOf(today) }
  const { data } = await api.POST(`${V1}/search/map`, { body })
  say.step('Search the map')
  const clusters = data.clusters ?? []
  const clustered = clusters.reduce((sum, { count }) => sum + count, 0)
  say.detail(
    `${data.total} hotels: ${data.pins.length} pins, and ${clusters.length} clusters of ${clustered}`,
  )
}

async function openHotel({ api, say, today }: Traveller, card: Card): Promise<void> {
  const { dates, occupancy } = stayOf(today)
  const path = { propertyId: card.propertyId }
  const shown = { locale: LOCALE, currency: 'USD', ...dates, adults: occupancy.adults }
  const hotel = await api.GET(`${V1}/hotels/{propertyId}`, { params: { path, query: shown } })
  const price = await api.GET(`${V1}/hotels/{propertyId}/price`, {
    params: { path, query: shown },
  })
  const nights = { from: dates.checkIn, to: dates.checkOut }
  const rooms = await api.GET(`${V1}/hotels/{propertyId}/availability`, {
    params: { path, query: nights },
  })
  await api.POST(`${V1}/telemetry/page-view`, { body: { path: `/hotels/${card.propertyId}` } })
  say.step(`Open ${showName(card.name, LOCALE)}`)
  say.detail(`${hotel.data.rooms.length} room types, ${hotel.data.photos.length} photos`)
  say.detail(`cancellation: ${hotel.data.policies.cancellation}`)
  say.detail(`price now: ${showRate(price.data.cheapestRateSnapshot, LOCALE)}`)
  const left = rooms.data.nights.map(({ night, roomsLeft }) => `${night}: ${roomsLeft}`)
  say.detail(`rooms left: ${left.join(', ')}`)
}

async function compareHotels(
  { api, say, today }: Traveller,
  cards: readonly Card[],
): Promise<void> {
  const ids = cards.map(({ propertyId }) => propertyId).join(',')
  const { dates, occupancy } = stayOf(today)
  const query = { ids, ...dates, adults: occupancy.adults }
  const { data } = await api.GET(`${V1}/compare`, { params: { query } })
  say.step(`Compare ${cards.length} hotels`)
  for (const { card } of data.hotels) say.detail(showCard(card, LOCALE))
}

async function changeWishlist({ api, say }: Traveller, cards: readonly Card[]): Promise<void> {
  for (const { propertyId } of cards) {
    await api.POST(`${V1}/wishlist`, { body: { propertyId, source: 'list' } })
  }
  const last = cards.at(-1)
  if (last !== undefined) {
    const path = { propertyId: last.propertyId }
    await api.DELETE(`${V1}/wishlist/{propertyId}`, { params: { path } })
  }
  const wishes = await api.GET(`${V1}/wishlist`)
  const viewed = await api.GET(`${V1}/recently-viewed`)
  say.step('Add two hotels to the wishlist and remove one')
  say.detail(`wishlist: ${wishes.data.items.length}, recently viewed: ${viewed.data.items.length}`)
}

async function mintHandoff({ api, say, today }: Traveller, card: Card): Promise<Link> {
  const { tenantId, propertyId } = card
  const { data } = await api.POST(`${V1}/handoff/{tenantId}/{propertyId}`, {
    params: { path: { tenantId, propertyId } },
    body: stayOf(today),
  })
  const { handoffId, redirectUrl, expiresAt } = data
  say.step('Get the booking link to the hotel’s own site')
  const site = new URL(redirectUrl)
  say.detail(`${site.origin}${site.pathname}?h=… valid until ${expiresAt}`)
  return { handoffId, tenantId, redirectUrl }
}

function stayOf(today: Date) {
  const day = (ahead: number) =>
    new Date(today.getTime() + ahead * DAY_MS).toISOString().slice(0, 10)
  return { dates: { checkIn: day(7), checkOut: day(9) }, occupancy: { adults: 2 } }
}

function firstOf<T>(items: readonly T[]): T {
  const [first] = items
  if (first === undefined) throw new Error('Kabul has no hotels: is the demo world seeded?')
  return first
}
