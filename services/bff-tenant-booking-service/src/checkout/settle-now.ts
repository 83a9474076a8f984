import { setTimeout as delay } from 'node:timers/promises'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { requireOwnBooking } from '../bookings/read-own-booking.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import { isSettled } from '../fulfilment/fulfilment.ts'
import { type SettleOptions, settleBooking } from '../fulfilment/settle.ts'
import type { CheckoutDeps, OwnDraft } from './checkout-deps.ts'

/** How long a request waits for a claim of someone else, before it says "processing". */
const WAIT_MS = 1_000
const LOOK_EVERY_MS = 100

export interface SettleRequest extends OwnDraft, UpstreamCall {
  readonly trigger: SettleOptions['trigger']
  readonly closing?: SettleOptions['closing']
}

/**
 * Settles the booking of a guest, or waits a moment for the claim that does. The result is what is
 * stored, so every trigger sees the same one (F6, F7).
 */
export async function settleNow(deps: CheckoutDeps, request: SettleRequest): Promise<Booking> {
  const { tenantId, draftId, deadline, trace, trigger, closing = null } = request
  const booking = await requireOwnBooking(deps, request)
  if (booking.record === null || isSettled(booking.record)) return booking
  const options = { trigger, closing, deadline, trace }
  const result = await settleBooking(deps, { tenantId, draftId }, options)
  if (result.kind === 'settled') return result.booking
  return await waitForOther(deps, request)
}

async function waitForOther(deps: CheckoutDeps, request: SettleRequest): Promise<Booking> {
  const endsAtMs = deps.clock.monotonicMs() + WAIT_MS
  for (;;) {
    const booking = await requireOwnBooking(deps, request)
    const isOver = deps.clock.monotonicMs() >= endsAtMs || request.deadline.remainingMs() < WAIT_MS
    if (booking.record === null || isSettled(booking.record) || isOver) return booking
    await delay(LOOK_EVERY_MS)
  }
}
