import { addDays, type IsoDate, isIsoDate } from '@melmastoon/domain'
import type { paths } from '../../../services/bff-consumer-service/contracts/openapi.d.ts'
import { openBrowser } from '../traveller/open-client.ts'
import { showCard, showName } from '../traveller/show.ts'
import { type Demo, expectThat, LOCALE } from './demo.ts'

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

/** From a search to the signed link to the hotel's own site. */
export async function findHotel(demo: Demo): Promise<BookingLink> {
  const { say, consumerUrl, watch } = demo
  const api = openBrowser<paths>(consumerUrl, watch)
  const stay = stayOf(demo.today)
  const occupancy = { adults: 2 }
  const geo = { mode: 'city' as const, city: 'kabul' }
  const search = { geo, dates: stay, occupancy, filters: FILTERS, pageSize: 50 }
  const { data } = await api.POST(`${V1}/search`, { body: search })
  say.step(`Search good hotels in Kabul, ${stay.checkIn} to ${stay.checkOut}`)
  const card = data.items.find(({ name }) => name.default.startsWith(HOTEL))
  expectThat(
    card !== undefined,
    `${HOTEL} is not among ${data.total} hotels with rooms: run the demo again for other nights`,
  )
  say.detail(`${data.total} hotels; chosen: ${showCard(card, LOCALE)}`)
  const { tenantId, propertyId } = card
  const query = { locale: LOCALE, currency: 'AFN', ...stay, ...occupancy }
  const hotel = await api.GET(`${V1}/hotels/{propertyId}`, {
    params: { path: { propertyId }, query },
  })
  say.step(`Open ${showName(card.name, LOCALE)}`)
  say.detail(`${hotel.data.rooms.length} room types; ${hotel.data.policies.cancellation}`)
  const minted = await api.POST(`${V1}/handoff/{tenantId}/{propertyId}`, {
    params: { path: { tenantId, propertyId } },
    body: { dates: stay, occupancy },
  })
  const link = new URL(minted.data.redirectUrl)
  say.step('Get the booking link to the hotel’s own site')
  say.detail(`${link.origin}${link.pathname}?h=… valid until ${minted.data.expiresAt}`)
  const [slug = ''] = link.hostname.split('.')
  return { tenantId, propertyId, slug, token: link.searchParams.get('h') ?? '', stay }
}

/** Far enough away that repeated runs do not sell out the same nights. */
function stayOf(today: Date) {
  const start = today.toISOString().slice(0, 10)
  expectThat(isIsoDate(start), 'no date')
  const checkIn = addDays(start, 20 + Math.floor(Math.random() * 120))
  return { checkIn, checkOut: addDays(checkIn, 2) }
}
