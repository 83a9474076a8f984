import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { microToMinor } from '@melmastoon/domain'
import type { FolioSummary } from '@melmastoon/upstream-contracts/billing'
import { readFolios, readStays } from '../boards/board-sources.ts'
import { readPriceCurrency } from './price-currency.ts'
import {
  type DatedRequest,
  liveReading,
  readingOf,
  type WidgetDeps,
  type WidgetReading,
} from './widget-reading.ts'

const LIST_MAX = 10
const RATE_NIGHTS = 14

/** The guests who leave today and owe something. */
export async function readBalances(
  deps: WidgetDeps,
  request: DatedRequest,
  call: UpstreamCall,
): Promise<WidgetReading> {
  const day = { ...request, view: 'departures' as const }
  const stays = await readStays(deps, day, call)
  const folios = await readFolios(deps, { ...day, stays: stays.items }, call)
  const due = folios.items
    .filter(({ balance }) => BigInt(balance.amountMicro) > 0n)
    .toSorted(byBalance)
  const shown = due.slice(0, LIST_MAX).map(({ folioId, reservationId, balance }) => ({
    folioId,
    reservationId,
    balance: microToMinor(balance.amountMicro, balance.currency),
  }))
  return readingOf({ count: due.length, due: shown }, [stays, folios])
}

/** The largest first within a currency: amounts of different currencies are not comparable. */
export function byBalance(
  { balance: a }: Pick<FolioSummary, 'balance'>,
  { balance: b }: Pick<FolioSummary, 'balance'>,
): number {
  if (a.currency !== b.currency) return a.currency < b.currency ? -1 : 1
  const difference = BigInt(b.amountMicro) - BigInt(a.amountMicro)
  return difference === 0n ? 0 : difference > 0n ? 1 : -1
}

/** In the currency in which the hotel sets its prices. */
export async function readRates(
  deps: WidgetDeps,
  { tenantId, propertyId, date }: DatedRequest,
  call: UpstreamCall,
): Promise<WidgetReading> {
  const currency = await readPriceCurrency(deps, { tenantId, propertyId }, call)
  // Without a plan there are no prices.
  if (currency === null) return liveReading({ days: [] })
  const query = { from: date, nights: RATE_NIGHTS, currency }
  const { days } = await deps.upstreams.pricing.calendar({ params: { propertyId }, query }, call)
  return liveReading({
    days: days.map(({ date: day, cheapest }) => ({
      date: day,
      cheapest: cheapest ? microToMinor(cheapest.amountMicro, cheapest.currency) : null,
    })),
  })
}
