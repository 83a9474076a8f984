import {
  type Locale,
  type LocalizedText,
  type Money,
  microToMinor,
  nightsBetween,
  textFor,
} from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { describeCancellation } from '../properties/cancellation-terms.ts'
import { comparePrice, type ShownPrice } from './compare-price.ts'
import type { QuoteVM } from './quote-view.ts'

/** @throws Problem UPSTREAM_CONTRACT_BROKEN for an amount that is not exact in minor units (D7). */
export function describeQuote(
  quote: Quote,
  property: PropertyDetail,
  { locale, shown }: { readonly locale: Locale; readonly shown?: ShownPrice },
): QuoteVM {
  const total = exact(quote.total)
  const displayTotal = quote.displayTotal && exact(quote.displayTotal)
  const prices = displayTotal === undefined ? [total] : [displayTotal, total]
  const comparison = shown && comparePrice(shown, { digest: quote.digest, prices })
  return {
    quoteId: quote.quoteId,
    propertyId: quote.propertyId,
    propertyName: textFor(property.name, locale),
    stay: { ...quote.stay, nights: nightsBetween(quote.stay) },
    timeZone: property.timeZone,
    occupancy: quote.occupancy,
    rooms: quote.rooms.map(({ roomTypeId, quantity }) => {
      const type = property.roomTypes.find((each) => each.roomTypeId === roomTypeId)
      return { roomTypeId, name: optionalText(type?.name, locale), quantity }
    }),
    ratePlanId: quote.ratePlanId,
    ratePlanCode: quote.ratePlanCode,
    ratePlanName: optionalText(quote.ratePlanName, locale) || quote.ratePlanCode,
    board: quote.board ?? 'room_only',
    ...(quote.promoCode !== undefined && { promoCode: quote.promoCode }),
    lines: quote.lines.map((line) => describeLine(line, locale)),
    total,
    ...(displayTotal && { displayTotal }),
    currency: describeCurrency(quote),
    taxesIncluded: true,
    feesIncluded: true,
    cancellation: describeCancellation(quote.cancellation, quote.stay.checkIn, property.timeZone),
    digest: quote.digest,
    createdAt: quote.createdAt,
    expiresAt: quote.expiresAt,
    ...(comparison && { priceComparison: comparison }),
  }
}

function describeLine(line: Quote['lines'][number], locale: Locale): QuoteVM['lines'][number] {
  const { kind, code, label, roomTypeId, night, quantity, amount, included } = line
  return {
    kind,
    code,
    label: textFor(label, locale),
    ...(roomTypeId !== undefined && { roomTypeId }),
    ...(night !== undefined && { night }),
    quantity,
    amount: exact(amount),
    included,
  }
}

function describeCurrency({ total, displayTotal, fxSnapshot }: Quote): QuoteVM['currency'] {
  const charged = total.currency
  if (displayTotal === undefined || fxSnapshot === undefined) {
    return { charged, shown: charged, converted: false, explanationKey: 'quote.currency.same' }
  }
  return {
    charged,
    shown: displayTotal.currency,
    converted: true,
    explanationKey: 'quote.currency.converted',
    fxSnapshotId: fxSnapshot.fxSnapshotId,
    ratesTakenAt: fxSnapshot.takenAt,
    isStale: fxSnapshot.stale,
  }
}

function optionalText(text: LocalizedText | undefined, locale: Locale): string {
  return text === undefined ? '' : textFor(text, locale)
}

function exact({ amountMicro, currency }: Quote['total']): Money {
  return microToMinor(amountMicro, currency)
}
