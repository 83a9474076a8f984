import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import {
  type IdPrefix,
  microToMinor,
  problem,
  type QuoteId,
  type TenantId,
} from '@melmastoon/domain'
import { id, named } from '@melmastoon/upstream-contracts'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { type Static, Type } from 'typebox'
import { Amount } from '../bookings/draft-view.ts'
import { differenceOf } from '../drafts/price-change.ts'
import { type QuoteStoreDeps, readQuote } from '../quotes/quote-store.ts'

export const Digest = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  description: 'Of the price that the guest has seen',
})

const described = <const P extends IdPrefix>(prefix: P, description: string) =>
  Type.Unsafe<Static<ReturnType<typeof id<P>>>>({ ...id(prefix), description })

export const HoldBody = named(
  'HoldRequest',
  Type.Object({
    quoteId: id('qte'),
    digest: Digest,
    shownTotal: Type.Optional(
      Type.Object(
        { ...Amount.properties },
        { description: 'The total that the guest has seen; repeated if the price has changed' },
      ),
    ),
    draftId: Type.Optional(
      described('bdr', 'A booking of this session, to hold again or to hold another room'),
    ),
    handoffArrivalId: Type.Optional(
      described('bha', 'The handoff with which this session arrived, for a new booking'),
    ),
  }),
)
export type HoldBody = Static<typeof HoldBody>

/** @throws Problem PRICE_CHANGED when the guest has seen other terms than those of the quote. */
export async function agreedQuote(
  deps: QuoteStoreDeps,
  { tenantId, body }: { readonly tenantId: TenantId; readonly body: HoldBody },
  call: UpstreamCall,
): Promise<Quote> {
  const quoteId: QuoteId = body.quoteId
  const quote = await readQuote(deps, { tenantId, quoteId }, call)
  if (quote === null) throw problem('MELMASTOON.PRICING.QUOTE_NOT_FOUND')
  if (quote.digest === body.digest) return quote
  const previous = body.shownTotal ?? null
  const current = microToMinor(quote.total.amountMicro, quote.total.currency)
  throw problem('MELMASTOON.BFF.TENANT.PRICE_CHANGED', {
    extensions: {
      previous: { digest: body.digest, total: previous },
      current: { digest: quote.digest, total: current },
      difference: differenceOf(previous, current),
    },
  })
}
