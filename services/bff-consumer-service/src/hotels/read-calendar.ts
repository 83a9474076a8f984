import { asAbsent, type UpstreamCall } from '@melmastoon/bff/upstreams'
import { type CurrencyCode, type IsoDate, type PropertyId, problem } from '@melmastoon/domain'
import { exactMinor } from '../rates/exact-minor.ts'
import type { RateDeps } from '../rates/read-rates.ts'
import { CALENDAR_DAYS, type PriceCalendar } from './hotel-detail.ts'

export interface CalendarRequest {
  readonly propertyId: PropertyId
  readonly from: IsoDate
  readonly currency: CurrencyCode
}

export interface Calendar {
  readonly days: PriceCalendar
  readonly capturedAtMs: number
}

/** The cheapest night from each of seven days on; invalid amounts are omitted (D7). */
export async function readCalendar(
  { upstreams, clock, measures }: Omit<RateDeps, 'rates'>,
  { propertyId, from, currency }: CalendarRequest,
  call: UpstreamCall,
): Promise<Calendar> {
  const request = { params: { propertyId }, query: { from, nights: CALENDAR_DAYS, currency } }
  // A hotel that the pricing service does not know has no prices.
  const response = await upstreams.pricing.calendar(request, { ...call, currency }).catch(asAbsent)
  if (response === null) return { days: [], capturedAtMs: clock.nowMs() }
  const capturedAtMs = Math.min(Date.parse(response.capturedAt), clock.nowMs())
  if (Number.isNaN(capturedAtMs)) {
    measures.refusedRates.inc({ reason: 'time' })
    throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
  }
  const days: PriceCalendar = []
  for (const { date, cheapest } of response.days.slice(0, CALENDAR_DAYS)) {
    if (cheapest === undefined) continue
    const cheapestMinor = exactMinor(cheapest.amountMicro, cheapest.currency)
    if (cheapestMinor === null || cheapestMinor <= 0) {
      measures.refusedRates.inc({ reason: 'amount' })
    } else days.push({ date, cheapestMinor, currency: cheapest.currency })
  }
  return { days, capturedAtMs }
}
