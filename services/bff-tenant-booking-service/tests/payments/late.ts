import type { StayDates } from '@melmastoon/domain'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { expectView, freshStay } from '../harness/booking-flow.ts'
import {
  type Checkout,
  codeOf,
  comeBack,
  confirm,
  type GuestDraft,
  pressOnPage,
  readDraft,
  startPayment,
} from './checkout.ts'
import { expectConfirmed, expectReleased } from './expectations.ts'
import { payLate } from './late-payers.ts'

let checkout: Checkout

type Payer = GuestDraft & { readonly stay: StayDates }

/** Mobile money takes the money at once; the payer has not decided yet. */
async function waitingForPhone(): Promise<Payer> {
  const stay = freshStay(checkout.hotel)
  const own = await checkout.begin({ stay })
  await startPayment(own, 'mobile_money')
  return { ...own, stay }
}

const sellOut = ({ stay }: Payer) => checkout.leaveRooms(stay, 0)

async function approve({ draftId }: Payer): Promise<void> {
  const { status } = await checkout.approve(await checkout.intentIdOf(draftId))
  expect(status).toBe('captured')
}

export function describeLateMoney(shared: () => Checkout): void {
  beforeAll(() => {
    checkout = shared()
  })

  describe('money that arrives after the hold has expired', () => {
    it('PAY-33 HOLD-10 the room is free: confirmed at the same total', async () => {
      const own = await waitingForPhone()
      await checkout.desk.expireHold(own.draftId)
      await approve(own)
      const view = expectView<DraftVM>(await confirm(own), 200)
      expect(view.terms.total).toEqual(own.draft.terms.total)
      await expectConfirmed(checkout, own)
    })

    it('PAY-34 HOLD-10 the room is gone: refunded with the reason', async () => {
      const own = await waitingForPhone()
      await checkout.desk.expireHold(own.draftId)
      await sellOut(own)
      await approve(own)
      const view = expectView<DraftVM>(await comeBack(own), 200)
      expect(view).toMatchObject({
        state: 'failed',
        messageKey: 'booking.refunded.sold_out',
        outcome: { reason: 'sold_out', refunded: own.draft.terms.total },
      })
      await expectReleased(checkout, own, { reason: 'sold_out' })
      const refunds = await checkout.refundsOf(await checkout.intentIdOf(own.draftId))
      expect(refunds).toHaveLength(1)
    })

    it('PAY-35 the price was raised: confirmed at the price that the guest agreed to', async () => {
      const own = await waitingForPhone()
      await checkout.desk.expireHold(own.draftId)
      await checkout.staff.changePrices(1_000)
      await approve(own)
      await checkout.poll(own.draftId)
      const view = await expectConfirmed(checkout, own)
      expect(view.terms.total).toEqual(own.draft.terms.total)
    })

    it('PAY-39 authorized, and the room is gone: the authorization is void', async () => {
      const stay = freshStay(checkout.hotel)
      const own = { ...(await checkout.begin({ stay })), stay }
      const paying = await startPayment(own, 'card')
      await checkout.desk.expireHold(own.draftId)
      await sellOut(own)
      await pressOnPage(checkout.sandbox.url, paying)
      await comeBack(own)
      const view = await expectReleased(checkout, own, {
        reason: 'sold_out',
        messageKey: 'booking.pay.released',
      })
      expect(view.outcome?.refunded).toBeNull()
      const { status, capturedAmount } = await checkout.intentOf(own.draftId)
      expect({ status, captured: capturedAmount.amountMicro }).toEqual({
        status: 'cancelled',
        captured: '0',
      })
    })

    it('PAY-42 HOLD-10 twenty late payers, one room: one stay, nineteen refunds', async () => {
      expect(await payLate(checkout, 20)).toEqual({ confirmed: 1, refunded: 19 })
    })
  })

  describe('money that does not fit', () => {
    it('PAY-37 captured after the guest gave up: refunded', async () => {
      const own = await waitingForPhone()
      const deleted = await own.guest.delete(`/draft/${own.draftId}`)
      expect(expectView<DraftVM>(deleted, 200).state).toBe('abandoned')
      const intentId = await checkout.intentIdOf(own.draftId)
      expect((await checkout.intent(intentId)).status).toBe('cancelled')
      await checkout.captureAnyway(intentId)
      expect(await checkout.notify(intentId)).toBe(200)
      await checkout.service.ctx.background[Symbol.asyncDispose]()
      expect((await checkout.intent(intentId)).status).toBe('refunded')
      expect((await readDraft(own)).state).toBe('abandoned')
      expect((await checkout.desk.reservationOf(own.draftId)).status).toBe('cancelled')
    })

    it('PAY-37 captured before the guest gave up: not given up, but confirmed', async () => {
      const own = await waitingForPhone()
      await approve(own)
      const rejected = await own.guest.delete(`/draft/${own.draftId}`)
      expect([rejected.status, codeOf(rejected)]).toEqual([
        409,
        'MELMASTOON.BFF.TENANT.PAYMENT_CAPTURED',
      ])
      await expectConfirmed(checkout, own)
    })

    it('PAY-38 another amount than agreed: all of it is refunded', async () => {
      const own = await checkout.begin()
      await pressOnPage(checkout.sandbox.url, await startPayment(own, 'card'))
      const intentId = await checkout.intentIdOf(own.draftId)
      const { amount } = await checkout.intent(intentId)
      const part = { ...amount, amountMicro: String(BigInt(amount.amountMicro) - 1_000_000n) }
      await checkout.capturePart(intentId, part)
      await comeBack(own)
      const expected = { reason: 'amount', messageKey: 'booking.refunded.amount' } as const
      await expectReleased(checkout, own, expected)
      expect((await checkout.intent(intentId)).refundedAmount).toEqual(part)
      // Refunds are counted by their reason.
      const metrics = await checkout.service.ctx.metrics.render()
      expect(metrics).toMatch(/bff_tenant_booking_refund_total\{reason="amount"\} 1/)
    })

    it('PAY-40 the capture is declined: the stay is cancelled', async () => {
      const own = await checkout.begin()
      const paying = await startPayment(own, 'card')
      await pressOnPage(checkout.sandbox.url, paying, { card: 'tok_capture_declined' })
      await comeBack(own)
      const expected = { reason: 'declined', messageKey: 'booking.pay.declined' } as const
      await expectReleased(checkout, own, expected)
    })

    it('PAY-41 staff refunded before the confirmation: no stay', async () => {
      const own = await waitingForPhone()
      await approve(own)
      const intentId = await checkout.intentIdOf(own.draftId)
      await checkout.refund(intentId, (await checkout.intent(intentId)).amount)
      await confirm(own)
      await expectReleased(checkout, own, { reason: 'cancelled' })
      expect(await checkout.refundsOf(intentId)).toHaveLength(1)
    })

    it('PAY-41 staff refunded a part: the rest is refunded too', async () => {
      const own = await waitingForPhone()
      await approve(own)
      const intentId = await checkout.intentIdOf(own.draftId)
      const { amount } = await checkout.intent(intentId)
      await checkout.refund(intentId, { ...amount, amountMicro: '1000000' })
      await confirm(own)
      await expectReleased(checkout, own, { reason: 'cancelled' })
      expect(await checkout.refundsOf(intentId)).toHaveLength(2)
    })
  })
}
