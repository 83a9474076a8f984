import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Clock } from '@melmastoon/chassis/clock'
import { fromUpstreamRejection, UpstreamRejection } from '@melmastoon/chassis/upstream'
import { problem } from '@melmastoon/domain'
import type { pricingContract, Quote } from '@melmastoon/upstream-contracts/pricing'
import { type Draft, type Terms, termsOf } from './draft.ts'

export interface RecheckDeps {
  readonly clock: Clock
  readonly upstreams: {
    readonly pricing: Pick<ClientOf<typeof pricingContract>, 'recheckQuote' | 'createQuote'>
  }
}

export interface RecheckCall extends UpstreamCall {
  /** The idempotency key of an upstream call, the same in every attempt of this request. */
  readonly upstreamKey: (step: string) => string
}

/** `changed`: a quote for the new terms exists, which the guest may accept. */
export type PriceCheck =
  | { readonly kind: 'matched' }
  | { readonly kind: 'changed'; readonly terms: Terms }
  | { readonly kind: 'gone' }

/** Compares the agreed terms with the present offer (T19). */
export async function recheckPrice(
  deps: RecheckDeps,
  draft: Draft,
  call: RecheckCall,
): Promise<PriceCheck> {
  const { deadline, trace } = call
  const checked = await deps.upstreams.pricing
    .recheckQuote(
      { params: { quoteId: draft.terms.quoteId } },
      { deadline, trace, tenantId: draft.tenantId },
    )
    .catch(asAbsent)
  if (checked === null || checked.outcome === 'gone') return { kind: 'gone' }
  if (checked.outcome === 'matched') return { kind: 'matched' }
  const pending = pendingTerms(deps, draft, checked.currentDigest)
  return pending === null
    ? await requote(deps, draft, callFor(call, checked.currentDigest))
    : { kind: 'changed', terms: pending }
}

/** Another price is another request, also when the guest repeats theirs with the same key. */
function callFor(call: RecheckCall, digest = ''): RecheckCall {
  return { ...call, upstreamKey: (step) => call.upstreamKey(`${step}:${digest}`) }
}

/** The guest was already shown these terms, and their quote can still be accepted. */
function pendingTerms({ clock }: RecheckDeps, draft: Draft, digest: string | undefined) {
  const { changedTerms } = draft
  if (changedTerms === null || changedTerms.digest !== digest) return null
  return Date.parse(changedTerms.quoteExpiresAt) > clock.nowMs() ? changedTerms : null
}

async function requote(deps: RecheckDeps, draft: Draft, call: RecheckCall): Promise<PriceCheck> {
  const quote = await createQuote(deps, draft, call)
  if (quote === null) return { kind: 'gone' }
  // The price may have changed back meanwhile.
  if (quote.digest === draft.terms.digest) return { kind: 'matched' }
  return { kind: 'changed', terms: termsOf(quote) }
}

const GONE_CODES: ReadonlySet<string | undefined> = new Set([
  'MELMASTOON.PROPERTY.NOT_FOUND',
  'MELMASTOON.PRICING.STAY_INVALID',
  'MELMASTOON.PRICING.NO_RATE',
  'MELMASTOON.PRICING.RESTRICTED',
  'MELMASTOON.PRICING.PROMOTION_REFUSED',
])

/** Without usable exchange rates in the hotel's currency only; null: no such offer any more. */
async function createQuote(
  { upstreams }: RecheckDeps,
  { tenantId, terms, origin }: Draft,
  { upstreamKey, deadline, trace }: RecheckCall,
): Promise<Quote | null> {
  const { propertyId, ratePlanCode, rooms, stay, occupancy, promoCode } = terms
  const send = (step: string, display: { readonly displayCurrency?: typeof origin.currency }) =>
    upstreams.pricing.createQuote(
      {
        body: {
          propertyId,
          ratePlanCode,
          rooms,
          stay,
          occupancy,
          ...(promoCode !== null && { promoCode }),
          ...display,
        },
      },
      { deadline, trace, tenantId, idempotencyKey: upstreamKey(step) },
    )
  const isConverted = terms.displayTotal !== null
  try {
    return await send('requote', isConverted ? { displayCurrency: origin.currency } : {}).catch(
      (error: unknown) => {
        if (!isConverted || codeOf(error) !== 'MELMASTOON.PRICING.FX_SNAPSHOT_STALE') throw error
        return send('requote-hotel-currency', {})
      },
    )
  } catch (error) {
    return asGone(error)
  }
}

function asGone(error: unknown): null {
  if (!(error instanceof UpstreamRejection)) throw error
  if (GONE_CODES.has(error.code)) return null
  if (error.code === 'MELMASTOON.TENANT.SUSPENDED') {
    throw problem('MELMASTOON.BFF.TENANT.SITE_SUSPENDED', { cause: error })
  }
  throw fromUpstreamRejection(error)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof UpstreamRejection ? error.code : undefined
}
