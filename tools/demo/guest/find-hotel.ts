import { addDays, type IsoDate, isIsoDate } from '@melmastoon/domain'
import type { paths } from '../../../services/bff-consumer-service/contracts/openapi.d.ts'
import { DemoFailure, expectThat } from '../shared/demo-failure.ts'
import { openBrowser } from '../traveller/open-client.ts'
import { showCard, showName } from '../traveller/show.ts'
import { type Demo, LOCALE } from './demo.ts'

const V1 = '/bff/consumer/v1'
/** A hotel of the demo world that offers all three ways to pay. */
const HOTEL = 'Gulistan'
const FILTERS = { starRating: [4], guestRatingMin: 8.5 }

export interface BookingLink {
  readonly tenantId: string
  readonly propertyId: string
  readonly slug: string
  readonly token: string
  readonly stay: { readonly checkIn: IsoDate; readonly checkOut: IsoDate }
}

type Api = ReturnType<typeof openBrowser<paths>>
type Stay = BookingLink['stay']
const OCCUPANCY = { adults: 2 }
/** Six bookings need rooms: nights that are nearly sold out are not chosen. */
const ROOMS_NEEDED = 12
const SEARCHES_MAX = 10

/** From a search to the signed link to the hotel's own site. */
export async function findHotel(demo: Demo): Promise<BookingLink> {
  const { say, consumerUrl, watch } = demo
  const api = openBrowser<paths>(consumerUrl, watch)
  const { card, stay, total } = await searchRooms(api, demo.today)
  say.step(`Search good hotels in Kabul, ${stay.checkIn} to ${stay.checkOut}`)
  say.detail(`${total} found; chosen: ${showCard(card, LOCALE)}`)
  const { tenantId, propertyId } = card
  const query = { locale: LOCALE, currency: 'AFN', ...stay, ...OCCUPANCY }
  const hotel = await api.GET(`${V1}/hotels/{propertyId}`, {
    params: { path: { propertyId }, query },
  })
  say.step(`Open ${showName(card.name, LOCALE)}`)
  say.detail(`${hotel.data.rooms.length} room types; ${hotel.data.policies.cancellation}`)
  const minted = await api.POST(`${V1}/handoff/{tenantId}/{propertyId}`, {
    params: { path: { tenantId, propertyId } },
    body: { dates: stay, occupancy: OCCUPANCY },
  })
  const link = new URL(minted.data.redirectUrl)
  say.step('Get the booking link to the hotel’s own site')
  say.detail(`${link.origin}${link.pathname}?h=… valid until ${minted.data.expiresAt}`)
  const [slug = ''] = link.hostname.split('.')
  return { tenantId, propertyId, slug, token: link.searchParams.get('h') ?? '', stay }
}

/** Searches with other dates until the hotel has enough rooms. */
async function searchRooms(api: Api, today: Date) {
  for (let tries = 0; tries < SEARCHES_MAX; tries += 1) {
    const stay = stayOf(today)
    const geo = { mode: 'city' as const, city: 'kabul' }
    const search = { geo, dates: stay, occupancy: OCCUPANCY, filters: FILTERS, pageSize: 50 }
    const { data } = await api.POST(`${V1}/search`, { body: search })
    const card = data.items.find(({ name }) => name.default.startsWith(HOTEL))
    if (card !== undefined && (await hasRooms(api, card.propertyId, stay))) {
      return { card, stay, total: data.total }
    }
  }
  throw new DemoFailure(`${HOTEL} has too few rooms on all dates that were tried`)
}

async function hasRooms(api: Api, propertyId: string, stay: Stay): Promise<boolean> {
  const query = { from: stay.checkIn, to: stay.checkOut }
  const { data } = await api.GET(`${V1}/hotels/{propertyId}/availability`, {
    params: { path: { propertyId }, query },
  })
  return data.nights.every(({ roomsLeft }) => (roomsLeft ?? 0) >= ROOMS_NEEDED)
}

/** Far enough away that repeated runs do not sell out the same nights. */
function stayOf(today: Date) {
  const start = today.toISOString().slice(0, 10)
  expectThat(isIsoDate(start), 'no date')
  const checkIn = addDays(start, 20 + Math.floor(Math.random() * 120))
  return { checkIn, checkOut: addDays(checkIn, 2) }
}
