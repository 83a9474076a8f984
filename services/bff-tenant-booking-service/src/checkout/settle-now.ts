import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { problem } from '@melmastoon/domain'
import { requireOwnBooking } from '../bookings/read-own-booking.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import { isSettled } from '../fulfilment/fulfilment.ts'
import { type SettleOptions, settleOwnBooking } from '../fulfilment/settle.ts'
import type { CheckoutDeps, OwnDraft } from './checkout-deps.ts'

/** How long a request waits for a claim of someone else, before it says "processing". */
const WAIT_MS = 1_000
const LOOK_EVERY_MS = 100

export interface SettleRequest extends OwnDraft, UpstreamCall {
  readonly trigger: SettleOptions['trigger']
  readonly closing?: SettleOptions['closing']
  readonly storeResponse?: SettleOptions['storeResponse']
}

/**
 * Settles the booking of a guest, or waits a moment for the claim that does. The result is what is
 * stored, so every trigger sees the same one (F6, F7).
 */
export async function settleNow(deps: CheckoutDeps, request: SettleRequest): Promise<Booking> {
  const { tenantId, sessionId, draftId, deadline, trace, trigger, closing = null } = request
  const { storeResponse } = request
  const options = { trigger, closing, deadline, trace, storeResponse }
  const result = await settleOwnBooking(deps, { tenantId, sessionId, draftId }, options)
  if (result === null) throw problem('MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND')
  if (result.kind === 'settled') return result.booking
  if (result.kind === 'unclaimed' && !isOpen(result.booking)) return result.booking
  return await waitForOther(deps, request)
}

function isOpen({ record }: Booking): boolean {
  return record !== null && !isSettled(record)
}

async function waitForOther(deps: CheckoutDeps, request: SettleRequest): Promise<Booking> {
  const endsAtMs = deps.clock.monotonicMs() + WAIT_MS
  for (;;) {
    const booking = await requireOwnBooking(deps, request)
    const isOver = deps.clock.monotonicMs() >= endsAtMs || request.deadline.remainingMs() < WAIT_MS
    if (!isOpen(booking) || isOver) return booking
    await deps.sleep(LOOK_EVERY_MS)
  }
}
