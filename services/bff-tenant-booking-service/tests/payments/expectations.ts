import type { Intent } from '@melmastoon/upstream-contracts/payment'
import { expect } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { eventNames, eventsOf } from '../harness/outbox-events.ts'
import { type Checkout, type GuestDraft, readDraft } from './checkout.ts'

type Own = Pick<GuestDraft, 'guest' | 'draftId'>

const CONVERTED = 'booking.draft.converted.v1'
const ABANDONED = 'booking.draft.abandoned.v1'

export async function endEventsOf(checkout: Checkout, draftId: string): Promise<string[]> {
  const names = eventNames(await eventsOf(checkout, draftId))
  return names.filter((name) => name === CONVERTED || name === ABANDONED)
}

/** One confirmed stay, paid by one intent, published once. */
export async function expectConfirmed(checkout: Checkout, own: Own): Promise<DraftVM> {
  const view = await readDraft(own)
  expect(view.state).toBe('confirmed')
  expect(view.outcome).toMatchObject({ reason: 'confirmed', refunded: null })
  const reservation = await checkout.desk.reservationOf(own.draftId)
  expect(reservation.status).toBe('confirmed')
  expect(reservation.total.amountMicro).toBe(String(BigInt(view.terms.total.amountMinor) * 10_000n))
  const { intents } = await expectMoneySettled(checkout, own.draftId)
  const paying = intents.filter(({ status }) => status !== 'refunded' && !isClosed(status))
  expect(paying.map(({ paymentIntentId }) => paymentIntentId)).toEqual([
    reservation.payment?.paymentIntentId,
  ])
  expect(await endEventsOf(checkout, own.draftId)).toEqual([CONVERTED])
  return view
}

/** No stay and no money; the guest knows why. */
export async function expectReleased(
  checkout: Checkout,
  own: Own,
  expected: Partial<Pick<DraftVM, 'messageKey'>> & { readonly reason: string },
): Promise<DraftVM> {
  const { reason, ...shown } = expected
  const view = await readDraft(own)
  expect(view).toMatchObject({ state: 'failed', outcome: { reason }, ...shown })
  const reservation = await checkout.desk.reservationOf(own.draftId)
  expect(reservation.status).toBe('cancelled')
  const { intents } = await expectMoneySettled(checkout, own.draftId)
  expect(intents.filter(({ status }) => status !== 'refunded' && !isClosed(status))).toEqual([])
  expect(await endEventsOf(checkout, own.draftId)).toEqual([])
  return view
}

function isClosed(status: Intent['status']): boolean {
  return status === 'failed' || status === 'cancelled'
}

/** F1 to F3: every captured payment pays for the confirmed stay, or was refunded completely. */
export async function expectMoneySettled(checkout: Checkout, draftId: string) {
  const { state, attempts } = await checkout.stored(draftId)
  expect(['confirmed', 'failed', 'abandoned']).toContain(state)
  const ids = attempts.flatMap(({ intent_id: id }) => (id === null ? [] : [id]))
  const intents = await Promise.all(ids.map((id) => checkout.intent(id)))
  const stay = await checkout.desk.reservationOf(draftId)
  const paying = stay.status === 'confirmed' ? stay.payment?.paymentIntentId : undefined
  for (const { paymentIntentId, status, capturedAmount, refundedAmount } of intents) {
    if (paymentIntentId === paying) {
      expect(['captured', 'pending_cash']).toContain(status)
    } else {
      expect(refundedAmount).toEqual(capturedAmount)
      expect(['failed', 'cancelled', 'refunded']).toContain(status)
    }
  }
  expect(state === 'confirmed').toBe(stay.status === 'confirmed')
  return { intents, stay }
}
