import type { BookingSessionId, DraftId, TenantId } from '@melmastoon/domain'
import type { HotDrafts } from '../bookings/hot-drafts.ts'
import type { FulfilmentDeps } from '../fulfilment/fulfilment-steps.ts'

/** The draft that a guest names, in their own session. */
export interface OwnDraft {
  readonly tenantId: TenantId
  readonly sessionId: BookingSessionId
  readonly draftId: DraftId
}

export interface CheckoutDeps extends FulfilmentDeps {
  readonly hotDrafts: HotDrafts
  readonly sleep: (durationMs: number) => Promise<unknown>
  readonly flags: FulfilmentDeps['flags'] & {
    /** During an incident: payments in progress continue. */
    areNewIntentsPaused(tenantId: TenantId): boolean
  }
}
