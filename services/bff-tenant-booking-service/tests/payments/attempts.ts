import { beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { expectView, hold, quoteOf } from '../harness/booking-flow.ts'
import { eventsOf } from '../harness/outbox-events.ts'
import {
  type Checkout,
  codeOf,
  comeBack,
  confirm,
  PHONES,
  pressOnPage,
  readDraft,
  requestPayment,
  startPayment,
  uuidOf,
} from './checkout.ts'
import { expectConfirmed } from './expectations.ts'

let checkout: Checkout

const openAttempts = async (draftId: string) =>
  (await checkout.stored(draftId)).attempts.filter(({ status }) => status === 'open')

export function describeAttempts(shared: () => Checkout): void {
  beforeAll(() => {
    checkout = shared()
  })

  describe('several attempts to pay', () => {
    it('PAY-43 a declined card, then another one: confirmed', async () => {
      const own = await checkout.begin()
      const first = await startPayment(own, 'card')
      const card = 'tok_decline_insufficient_funds'
      const back = await pressOnPage(checkout.sandbox.url, first, { card })
      expect(back.searchParams.get('redirect_status')).toBe('failed')
      const declined = expectView<DraftVM>(await comeBack(own, back), 200)
      expect(declined).toMatchObject({
        messageKey: 'booking.pay.declined',
        payment: { declineCode: 'insufficient_funds' },
      })
      await pressOnPage(checkout.sandbox.url, await startPayment(own, 'card'))
      expect(expectView<DraftVM>(await comeBack(own), 200).state).toBe('confirmed')
      await expectConfirmed(checkout, own)
    })

    it('PAY-45 another method closes the open payment first: one is open', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      const first = await checkout.intentIdOf(own.draftId)
      const switched = await startPayment(own, 'card')
      expect(switched.payment).toMatchObject({ method: 'card', status: 'open' })
      expect((await checkout.intent(first)).status).toBe('cancelled')
      expect(await openAttempts(own.draftId)).toHaveLength(1)
      await pressOnPage(checkout.sandbox.url, switched)
      await comeBack(own)
      await expectConfirmed(checkout, own)
    })

    it('the same method again continues the open payment', async () => {
      const own = await checkout.begin()
      const first = await startPayment(own, 'card')
      const second = await startPayment(own, 'card')
      expect(second.payment).toEqual(first.payment)
      expect((await checkout.stored(own.draftId)).attempts).toHaveLength(1)
    })

    it('another phone closes the open payment first, the same phone continues it', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money', PHONES.waits)
      const first = await checkout.intentIdOf(own.draftId)
      await startPayment(own, 'mobile_money', PHONES.waits)
      expect((await checkout.stored(own.draftId)).attempts).toHaveLength(1)
      await startPayment(own, 'mobile_money', PHONES.declines)
      expect((await checkout.intent(first)).status).toBe('cancelled')
      expect(await checkout.intentIdOf(own.draftId)).not.toBe(first)
      const { attempts } = await checkout.stored(own.draftId)
      expect(attempts.map(({ status }) => status)).toEqual(['closed', 'open'])
    })

    it('PAY-46 the old payment was captured meanwhile: it pays, and no new one is made', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      await checkout.approve(await checkout.intentIdOf(own.draftId))
      const rejected = await requestPayment(own, 'card')
      expect([rejected.status, codeOf(rejected)]).toEqual([
        409,
        'MELMASTOON.BFF.TENANT.PAYMENT_CAPTURED',
      ])
      await expectConfirmed(checkout, own)
      expect((await checkout.stored(own.draftId)).attempts).toHaveLength(1)
    })

    it('PAY-47 both payments capture: one stay, one refund', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      const old = await checkout.intentIdOf(own.draftId)
      await pressOnPage(checkout.sandbox.url, await startPayment(own, 'card'))
      await comeBack(own)
      await expectConfirmed(checkout, own)
      await checkout.captureAnyway(old)
      expect(await checkout.notify(old)).toBe(200)
      await checkout.service.ctx.background[Symbol.asyncDispose]()
      const view = await expectConfirmed(checkout, own)
      expect(view.messageKey).toBe('booking.confirmed.surplus_refunded')
      expect((await checkout.intent(old)).status).toBe('refunded')
      expect(await checkout.refundsOf(old)).toHaveLength(1)
    })

    it('PAY-47 both payments capture before the first decision: one stay, one refund', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      const old = await checkout.intentIdOf(own.draftId)
      await pressOnPage(checkout.sandbox.url, await startPayment(own, 'card'))
      await checkout.captureAnyway(old)
      await checkout.notify(old)
      await checkout.service.ctx.background[Symbol.asyncDispose]()
      await checkout.poll(own.draftId)
      await expectConfirmed(checkout, own)
    })

    it('PAY-48 two tabs, two methods at once: at most one payment is open', async () => {
      for (let round = 0; round < 8; round += 1) {
        const own = await checkout.begin()
        const responses = await Promise.all([
          requestPayment(own, 'card'),
          requestPayment(own, 'mobile_money'),
          requestPayment(own, 'card'),
        ])
        const outcomes = responses.map((each) => codeOf(each) ?? each.status)
        const inProgress = 'MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS'
        expect(outcomes).toContain(201)
        expect(outcomes.filter((each) => each !== 201 && each !== inProgress)).toEqual([])
        const { attempts } = await checkout.stored(own.draftId)
        const intents = await Promise.all(
          attempts.flatMap(({ intent_id: id }) => (id === null ? [] : [checkout.intent(id)])),
        )
        const waiting = intents.filter(({ status }) => status !== 'cancelled')
        expect(waiting).toHaveLength(1)
        expect(await openAttempts(own.draftId)).toHaveLength(1)
      }
    })

    it('PAY-48 the index rejects a second open payment (control: without it there are two)', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'card')
      const { schema } = checkout.environment
      const insert = () =>
        checkout.environment.query(
          `insert into ${schema}.booking_payment_attempt (tenant_id, draft_id, no, key, cancel_key,
           refund_key, method, capture_mode, digest, amount_micro, currency, status)
         select tenant_id, draft_id, no + 1, key, cancel_key, refund_key, method, capture_mode,
           digest, amount_micro, currency, status
         from ${schema}.booking_payment_attempt where draft_id = $1`,
          [uuidOf(own.draftId)],
        )
      await expect(insert()).rejects.toMatchObject({
        constraint: 'ux_booking_payment_attempt_open',
      })
      await checkout.environment.query(`drop index ${schema}.ux_booking_payment_attempt_open`)
      try {
        await insert()
        expect(await openAttempts(own.draftId)).toHaveLength(2)
      } finally {
        await checkout.environment.query(
          `delete from ${schema}.booking_payment_attempt where draft_id = $1 and no = 2`,
          [uuidOf(own.draftId)],
        )
        await checkout.environment.query(
          `create unique index ux_booking_payment_attempt_open
         on ${schema}.booking_payment_attempt (tenant_id, draft_id)
         where status in ('creating', 'open')`,
        )
      }
    })

    it('PAY-49 no consent to another price while a payment is open', async () => {
      const own = await checkout.begin()
      const { terms } = await startPayment(own, 'mobile_money')
      const path = `/draft/${own.draftId}/accept-price`
      const rejected = await own.guest.post(path, { digest: terms.digest })
      expect([rejected.status, codeOf(rejected)]).toEqual([
        409,
        'MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS',
      ])
    })

    it('PAY-50 cash, the hold has expired and the price has changed: consent first', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'cash_on_arrival')
      const intentId = await checkout.intentIdOf(own.draftId)
      await checkout.desk.expireHold(own.draftId)
      await checkout.staff.changePrices(500)
      const rejected = await confirm(own)
      expect([rejected.status, codeOf(rejected)]).toEqual([
        409,
        'MELMASTOON.BFF.TENANT.PRICE_CHANGED',
      ])
      expect((await checkout.intent(intentId)).status).toBe('cancelled')
      const view = await readDraft(own)
      expect(view).toMatchObject({ state: 'paying', guest: { fullName: 'Zarghuna Anaa' } })
      expect(view.actions).toContain('hold-again')
      const changed = view.changedTerms?.total.amountMinor ?? 0
      expect(changed).toBeGreaterThan(own.draft.terms.total.amountMinor)
      const errors = (await eventsOf(checkout, own.draftId)).filter(({ subject }) =>
        subject.endsWith('.flow.error_encountered.v1'),
      )
      expect(errors.map(({ payload }) => payload['errorCode'])).toEqual([
        'MELMASTOON.BFF.TENANT.PRICE_CHANGED',
      ])
      // The guest agrees to the new price by holding the room again.
      const { stay } = own.draft.terms
      const quote = await quoteOf(own.guest, checkout.hotel, { stay })
      expect(quote.total.amountMinor).toBe(changed)
      const again = await hold(own.guest, quote, { draftId: own.draftId })
      expect(expectView<DraftVM>(again, 201).changedTerms).toBeNull()
      await startPayment(own, 'cash_on_arrival')
      expectView<DraftVM>(await confirm(own), 200)
      expect((await expectConfirmed(checkout, own)).terms.total).toEqual(quote.total)
    })

    it('PAY-50 cash, the hold has expired at the same price: confirmed', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'cash_on_arrival')
      await checkout.desk.expireHold(own.draftId)
      expectView<DraftVM>(await confirm(own), 200)
      await expectConfirmed(checkout, own)
    })
  })
}
