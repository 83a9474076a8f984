import { asAbsent, type UpstreamCall } from '@melmastoon/bff/upstreams'
import { type CurrencyCode, type IsoDate, type PropertyId, problem } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { exactMinor } from '../rates/rate-snapshot.ts'
import { CALENDAR_DAYS, type PriceCalendar } from './hotel-detail.ts'

export interface CalendarAsked {
  readonly propertyId: PropertyId
  readonly from: IsoDate
  readonly currency: CurrencyCode
}

export interface Calendar {
  readonly days: PriceCalendar
  readonly capturedAtMs: number
}

/** The cheapest night from each of seven days on; what cannot be a price is left out (D7). */
export async function readCalendar(
  ctx: ConsumerContext,
  { propertyId, from, currency }: CalendarAsked,
  call: UpstreamCall,
): Promise<Calendar> {
  const asked = { params: { propertyId }, query: { from, nights: CALENDAR_DAYS, currency } }
  // A hotel that pricing does not know has no prices.
  const answer = await ctx.upstreams.pricing.calendar(asked, { ...call, currency }).catch(asAbsent)
  if (answer === null) return { days: [], capturedAtMs: ctx.clock.nowMs() }
  const capturedAtMs = Math.min(Date.parse(answer.capturedAt), ctx.clock.nowMs())
  if (Number.isNaN(capturedAtMs)) {
    ctx.measures.refusedRates.inc({ reason: 'time' })
    throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
  }
  const days: PriceCalendar = []
  for (const { date, cheapest } of answer.days.slice(0, CALENDAR_DAYS)) {
    if (cheapest === undefined) continue
    const cheapestMinor = exactMinor(cheapest.amountMicro, cheapest.currency)
    if (cheapestMinor === null || cheapestMinor <= 0) {
      ctx.measures.refusedRates.inc({ reason: 'amount' })
    } else days.push({ date, cheapestMinor, currency: cheapest.currency })
  }
  return { days, capturedAtMs }
}
