import { addDays, type IsoDate, isIsoDate, type PropertyId } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { type HotelStock, partyOf } from '../pricing/module.ts'
import { checkOccupancy } from './check-occupancy.ts'
import type { ListingIndex } from './index/listing-index.ts'
import { requireRow } from './read-hotel.ts'
import type { SearchSources } from './search-sources.ts'
import { CALENDAR_NIGHTS_MAX, readNights, STAY_NIGHTS_MAX } from './stay.ts'

type Operations = typeof searchContract.operations

/** The index, and the time by the database clock. */
export interface OfferDeps {
  readonly updater: { readonly index: ListingIndex; now(): Date }
  readonly sources: Pick<SearchSources, 'readOffers' | 'readStayDays'>
}

type ForHotel<Body> = Body & {
  readonly propertyId: PropertyId
  readonly scenario: string | undefined
}

const STAY = {
  nightsMax: STAY_NIGHTS_MAX,
  pointers: { from: '/stay/checkIn', to: '/stay/checkOut' },
}
const CALENDAR = { nightsMax: CALENDAR_NIGHTS_MAX, pointers: { from: '/from', to: '/nights' } }

export async function listOffers(
  { updater, sources }: OfferDeps,
  request: ForHotel<InputOf<Operations['offers']>['body']>,
): Promise<OutputOf<Operations['offers']>> {
  const { propertyId, currency, scenario, occupancy } = request
  const { stock, tenantId } = findHotel(updater.index, propertyId)
  checkOccupancy(occupancy)
  const { firstDay: arrival, endDay } = readNights(request.stay, updater.now(), STAY)
  const stay = { arrival, nights: endDay - arrival, ...partyFor(occupancy) }
  const offers = await sources.readOffers({ propertyId, stock, stay, currency, scenario })
  const { timeZone, paymentMethods } = stock
  return { propertyId, tenantId, timeZone, ...offers, paymentMethods: [...paymentMethods] }
}

export async function listStayDays(
  { updater, sources }: OfferDeps,
  request: ForHotel<InputOf<Operations['stayCalendar']>['body']>,
): Promise<OutputOf<Operations['stayCalendar']>> {
  const { propertyId, from, nights: days, currency, scenario, occupancy } = request
  const { stock, tenantId } = findHotel(updater.index, propertyId)
  checkOccupancy(occupancy)
  const { firstDay: arrival } = readNights(spanOf(from, days), updater.now(), CALENDAR)
  const stay = { arrival, nights: 1, ...partyFor(occupancy) }
  const hotel = { propertyId, stock, stay, currency, scenario }
  const listed = await sources.readStayDays({ ...hotel, days, nightsMax: STAY_NIGHTS_MAX })
  return { propertyId, tenantId, ...listed }
}

/** The schema allows dates such as 30 February, which `readNights` rejects. */
function spanOf(from: IsoDate, days: number) {
  return { checkIn: from, checkOut: isIsoDate(from) ? addDays(from, days) : from }
}

type Occupancy = InputOf<Operations['offers']>['body']['occupancy']

function partyFor(occupancy: Occupancy) {
  return { party: partyOf(occupancy), quantity: occupancy.rooms, flexibility: 'any' as const }
}

function findHotel(index: ListingIndex, propertyId: PropertyId) {
  const row = requireRow(index, propertyId)
  const stock: HotelStock | undefined = index.stocks[row]
  if (stock === undefined) throw new TypeError('a listing without stock')
  return { stock, tenantId: index.documentOf(row).tenantId }
}
