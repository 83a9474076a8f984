import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Database } from '@melmastoon/chassis/db'
import { type BookingSessionId, type DraftId, problem, type TenantId } from '@melmastoon/domain'
import type { paymentContract } from '@melmastoon/upstream-contracts/payment'
import type { Draft, Terms } from '../drafts/draft.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import type { FulfilmentDeps } from '../fulfilment/fulfilment-steps.ts'
import { readBooking } from '../fulfilment/settle.ts'

/** The draft that a guest names, in their own session. */
export interface OwnDraft {
  readonly tenantId: TenantId
  readonly sessionId: BookingSessionId
  readonly draftId: DraftId
}

export type PaymentClient = ClientOf<typeof paymentContract>

/** Called with the draft after every commit: the copy in Redis follows the row. */
export interface DraftCopies {
  store(draft: Draft): void
}

/** The current price of a draft next to the one the guest agreed to (T19). */
export type Recheck =
  | { readonly kind: 'matched' }
  | { readonly kind: 'changed'; readonly terms: Terms }
  | { readonly kind: 'gone' }

export interface CheckoutDeps extends FulfilmentDeps {
  readonly recheckPrice: (draft: Draft, call: UpstreamCall) => Promise<Recheck>
  readonly draftCopies: DraftCopies
  /** By a flag, during an incident: payments in progress continue. */
  readonly areNewIntentsPaused: (tenantId: TenantId) => boolean
}

/** @throws Problem DRAFT_NOT_FOUND, also for a draft of another session or tenant (D18). */
export async function readOwnBooking(
  { db }: { readonly db: Database },
  { tenantId, sessionId, draftId }: OwnDraft,
  { deadline }: Pick<UpstreamCall, 'deadline'>,
): Promise<Booking> {
  const booking = await readBooking(db.scoped(tenantId, { deadline }), draftId)
  if (booking === null || booking.draft.sessionId !== sessionId) {
    throw problem('MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND')
  }
  return booking
}
