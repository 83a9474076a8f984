import { currency, named } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { amountOf, DraftVM, HoldVM, TermsVM, termsView } from '../bookings/draft-view.ts'
import type { Draft } from '../drafts/draft.ts'
import { differenceOf } from '../drafts/price-change.ts'
import type { PriceCheck } from '../drafts/recheck-price.ts'

/** `unknown`: the pricing service did not respond; the price is checked again before payment. */
export type ExtensionCheck = PriceCheck | { readonly kind: 'unknown' }

const Difference = Type.Object(
  { amountMinor: Type.Integer(), currency: currency() },
  { description: 'Current minus agreed; absent for different currencies' },
)

const PriceCheckVM = Type.Object({
  outcome: Type.Enum(['matched', 'changed', 'gone', 'unknown'], {
    description: '`changed` requires consent before the payment; `unknown`: not checked now',
  }),
  previous: Type.Optional(TermsVM),
  current: Type.Optional(TermsVM),
  difference: Type.Optional(Difference),
})
type PriceCheckVM = Static<typeof PriceCheckVM>

/** An extended hold. */
export const ExtensionVM = named(
  'Extension',
  Type.Object({
    holdExpiresAt: HoldVM.properties.expiresAt,
    extensionsLeft: HoldVM.properties.extensionsLeft,
    warnBeforeSeconds: HoldVM.properties.warnBeforeSeconds,
    priceCheck: PriceCheckVM,
    draft: DraftVM,
  }),
)
export type ExtensionVM = Static<typeof ExtensionVM>

export function describeExtension(
  draft: DraftVM,
  before: Draft,
  check: ExtensionCheck,
): ExtensionVM {
  const { expiresAt, extensionsLeft, warnBeforeSeconds } = draft.hold
  return {
    holdExpiresAt: expiresAt,
    extensionsLeft,
    warnBeforeSeconds,
    priceCheck: describeCheck(before, check),
    draft,
  }
}

function describeCheck({ terms }: Draft, check: ExtensionCheck): PriceCheckVM {
  if (check.kind !== 'changed') return { outcome: check.kind }
  const difference = differenceOf(amountOf(terms.total), amountOf(check.terms.total))
  return {
    outcome: 'changed',
    previous: termsView(terms),
    current: termsView(check.terms),
    ...(difference !== null && { difference }),
  }
}
