import { type CurrencyCode, type QuoteId, toIsoDateTime } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { pricingContract, Quote } from '@melmastoon/upstream-contracts/pricing'
import { microMoney } from './display-price.ts'
import type { BillLine } from './engine/bill.ts'
import { dateOf } from './engine/day.ts'
import type { Offer } from './engine/find-offers.ts'
import { quoteDigest } from './engine/quote-digest.ts'
import type { RateCard } from './engine/rate-card.ts'
import type { StayRequest } from './engine/stay-request.ts'
import { lineLabel } from './line-labels.ts'

export type QuoteRequest = InputOf<typeof pricingContract.operations.createQuote>['body']

export interface QuoteParts {
  readonly quoteId: QuoteId
  readonly request: QuoteRequest
  readonly card: RateCard
  readonly offer: Offer
  readonly stayRequest: StayRequest
  readonly display: Pick<Quote, 'displayTotal' | 'fxSnapshot'>
  readonly createdAt: Date
  readonly expiresAt: Date
}

export function renderQuote(parts: QuoteParts): Quote {
  const { request, card, offer, stayRequest } = parts
  const { plan, rooms, bill } = offer
  const { ratePlanId, code, name, version, cancellation, board } = plan
  return {
    quoteId: parts.quoteId,
    tenantId: card.tenantId,
    propertyId: card.propertyId,
    ratePlanId,
    ratePlanCode: code,
    ratePlanVersion: version,
    stay: request.stay,
    occupancy: request.occupancy,
    rooms: rooms.map(({ room, quantity }) => ({ roomTypeId: room.roomTypeId, quantity })),
    ...(request.promoCode !== undefined && { promoCode: request.promoCode }),
    lines: bill.lines.map((line) => renderLine(line, card.currency)),
    total: microMoney(bill.total, card.currency),
    ...parts.display,
    cancellation,
    timeZone: card.timeZone,
    ratePlanName: name,
    board,
    digest: quoteDigest(card, offer, stayRequest),
    createdAt: toIsoDateTime(parts.createdAt),
    expiresAt: toIsoDateTime(parts.expiresAt),
  }
}

function renderLine(line: BillLine, currency: CurrencyCode): Quote['lines'][number] {
  const { default: text, localized } = lineLabel(line)
  return {
    kind: line.kind,
    code: line.code,
    label: { default: text, localized: { ...localized } },
    ...(line.roomTypeId !== undefined && { roomTypeId: line.roomTypeId }),
    ...(line.night !== undefined && { night: dateOf(line.night) }),
    quantity: line.quantity,
    amount: microMoney(line.amount, currency),
    included: line.included,
  }
}
