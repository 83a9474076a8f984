import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { expectView } from '../harness/booking-flow.ts'
import { whileBroken } from '../harness/stays.ts'
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
import { expectConfirmed } from './expectations.ts'

let checkout: Checkout

/** A card was authorized on the page of the provider, and the service does not know it yet. */
async function paidByCard(): Promise<GuestDraft & { readonly back: URL }> {
  const own = await checkout.begin()
  const paying = await startPayment(own, 'card')
  expect(paying).toMatchObject({ state: 'paying', messageKey: 'booking.pay.continue' })
  const back = await pressOnPage(checkout.sandbox.url, paying)
  return { ...own, back }
}

export function describeTriggers(shared: () => Checkout): void {
  beforeAll(() => {
    checkout = shared()
  })

  describe('PAY-01 each trigger alone leads to a confirmed stay', () => {
    it('PAY-01 the guest returns from the page', async () => {
      const own = await paidByCard()
      const view = expectView<DraftVM>(await comeBack(own, own.back), 200)
      expect(view).toMatchObject({ state: 'confirmed', messageKey: 'booking.confirmed' })
      expect((await checkout.intentOf(own.draftId)).status).toBe('captured')
      await expectConfirmed(checkout, own)
    })

    it('PAY-01 the guest confirms', async () => {
      const own = await paidByCard()
      expect(expectView<DraftVM>(await confirm(own), 200).state).toBe('confirmed')
      await expectConfirmed(checkout, own)
    })

    it('PAY-01 a webhook arrives', async () => {
      const own = await paidByCard()
      expect(await checkout.notify(await checkout.intentIdOf(own.draftId))).toBe(200)
      await eventually(() => expectConfirmed(checkout, own))
    })

    it('PAY-01 the poller looks', async () => {
      const own = await paidByCard()
      await using _poller = await checkout.startAnother({ pollerOptions: { idleMs: 50 } })
      await eventually(() => expectConfirmed(checkout, own))
    })

    it('PAY-01 cash on arrival needs the confirmation of the guest only', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'cash_on_arrival')
      expectView<DraftVM>(await confirm(own), 200)
      await expectConfirmed(checkout, own)
      expect((await checkout.intentOf(own.draftId)).status).toBe('pending_cash')
    })

    it('PAY-01 cash that was only chosen is not booked by any other trigger', async () => {
      const own = await checkout.begin()
      const chosen = await startPayment(own, 'cash_on_arrival')
      const undecided = {
        state: 'paying',
        messageKey: 'booking.pay.cash_promised',
        payment: { method: 'cash_on_arrival', status: 'promised' },
      }
      expect(chosen).toMatchObject(undecided)
      expect(chosen.actions).toEqual(
        expect.arrayContaining(['confirm', 'switch-method', 'cancel', 'save-details']),
      )
      await checkout.poll(own.draftId)
      expect(await checkout.notify(await checkout.intentIdOf(own.draftId))).toBe(200)
      expect((await comeBack(own)).status).toBe(202)
      await checkout.poll(own.draftId)
      expect(await readDraft(own)).toMatchObject(undecided)
      expect((await checkout.desk.reservationOf(own.draftId)).status).toBe('held')
      const booked = expectView<DraftVM>(await confirm(own), 200)
      expect(booked).toMatchObject({ state: 'confirmed', payment: { status: 'promised' } })
      expect(booked.actions).toEqual(['view-confirmation'])
    })

    it('PAY-01 cash that the guest asked to book with is booked by the poller', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'cash_on_arrival')
      const key = newId('req')
      const asked = await whileBroken(checkout, ['payment', { kind: 'down' }], () =>
        confirm(own, key),
      )
      const inProgress = expectView<DraftVM>(asked, 202)
      expect(inProgress.messageKey).toBe('booking.pay.checking')
      expect(inProgress.actions).not.toContain('confirm')
      await eventually(async () => {
        await checkout.poll(own.draftId)
        await expectConfirmed(checkout, own)
      })
      expect(expectView<DraftVM>(await confirm(own, key), 200).state).toBe('confirmed')
    })

    it('PAY-01 mobile money is confirmed by the poller when the payer has approved', async () => {
      const own = await checkout.begin()
      const paying = await startPayment(own, 'mobile_money')
      expect(paying.payment).toMatchObject({ status: 'open', nextAction: { kind: 'wait' } })
      await checkout.approve(await checkout.intentIdOf(own.draftId))
      await checkout.poll(own.draftId)
      await expectConfirmed(checkout, own)
    })
  })

  describe('several triggers at once', () => {
    it('PAY-07 a return while the poller works: 202, then the result', async () => {
      const own = await paidByCard()
      const slow = { kind: 'slow', operation: 'confirm', delayMs: 1_400 } as const
      const { returned, polled } = await whileBroken(checkout, ['reservation', slow], async () => {
        const polled = checkout.poll(own.draftId)
        await eventually(async () => {
          const { decision } = await checkout.stored(own.draftId)
          expect(decision).toBe('confirm')
        })
        return { returned: await comeBack(own, own.back), polled }
      })
      expect(expectView<DraftVM>(returned, 202)).toMatchObject({
        state: 'confirming',
        messageKey: 'booking.pay.checking',
      })
      expect(returned.headers.get('retry-after')).toBe('2')
      await polled
      expect(expectView<DraftVM>(await comeBack(own, own.back), 200).state).toBe('confirmed')
      await expectConfirmed(checkout, own)
    })

    it('PAY-08 no loser sees an error or a failure', async () => {
      const own = await paidByCard()
      const intentId = await checkout.intentIdOf(own.draftId)
      const polled = checkout.poll(own.draftId)
      const background = Promise.all(Array.from({ length: 4 }, () => checkout.notify(intentId)))
      const responses = await Promise.all([
        ...Array.from({ length: 8 }, () => confirm(own)),
        ...Array.from({ length: 8 }, () => comeBack(own, own.back)),
      ])
      for (const { status, body } of responses) {
        expect([200, 202]).toContain(status)
        expect(['booking.confirmed', 'booking.pay.checking']).toContain(body['messageKey'])
      }
      await polled
      expect(await background).toEqual([200, 200, 200, 200])
      await eventually(() => expectConfirmed(checkout, own))
    })
  })

  describe('the truth is the intent', () => {
    it('PAY-11 an address that claims success for a failed payment confirms nothing', async () => {
      const own = await checkout.begin()
      const paying = await startPayment(own, 'card')
      await pressOnPage(checkout.sandbox.url, paying, { card: 'tok_decline_lost_card' })
      const claimed = new URL('http://localhost/?redirect_status=succeeded')
      const view = expectView<DraftVM>(await comeBack(own, claimed), 200)
      expect(view).toMatchObject({ state: 'paying', messageKey: 'booking.pay.declined' })
      expect(view.actions).toContain('pay')
      const refused = await confirm(own)
      expect([refused.status, codeOf(refused)]).toEqual([402, 'MELMASTOON.PAYMENT.DECLINED'])
      expect((await checkout.desk.reservationOf(own.draftId)).status).toBe('held')
    })

    it('PAY-11 an address that claims success for an unfinished payment is being checked', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      const claimed = new URL('http://localhost/?redirect_status=succeeded')
      const view = expectView<DraftVM>(await comeBack(own, claimed), 202)
      expect(view).toMatchObject({ state: 'paying', messageKey: 'booking.pay.checking' })
      expect((await readDraft(own)).state).toBe('paying')
    })
  })
}
