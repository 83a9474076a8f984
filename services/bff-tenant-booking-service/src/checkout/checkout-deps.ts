import type { ClientOf } from '@melmastoon/bff/upstreams'
import type { BookingSessionId, DraftId, TenantId } from '@melmastoon/domain'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import type { HotDrafts } from '../bookings/hot-drafts.ts'
import type { FulfilmentDeps } from '../fulfilment/fulfilment-steps.ts'

/** The draft that a guest names, in their own session. */
export interface OwnDraft {
  readonly tenantId: TenantId
  readonly sessionId: BookingSessionId
  readonly draftId: DraftId
}

export interface CheckoutDeps extends FulfilmentDeps {
  readonly upstreams: FulfilmentDeps['upstreams'] & {
    readonly pricing: Pick<ClientOf<typeof pricingContract>, 'recheckQuote' | 'createQuote'>
  }
  readonly hotDrafts: HotDrafts
  readonly sleep: (durationMs: number) => Promise<unknown>
  readonly flags: FulfilmentDeps['flags'] & {
    /** During an incident: payments in progress continue. */
    areNewIntentsPaused(tenantId: TenantId): boolean
  }
}
