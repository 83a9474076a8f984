import { idToUuid, newId } from '@melmastoon/domain'
import { createBrowser, eventually } from '@melmastoon/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { checkFulfilments } from '../../src/fulfilment/check-fulfilments.ts'
import { expectView } from '../harness/booking-flow.ts'
import { eventsOf } from '../harness/outbox-events.ts'
import { SLUG } from '../harness/start-booking.ts'
import { whileBroken } from '../harness/stays.ts'
import {
  type Checkout,
  codeOf,
  comeBack,
  confirm,
  persist,
  pressOnPage,
  readDraft,
  requestPayment,
  startPayment,
  uuidOf,
} from './checkout.ts'
import { expectConfirmed, expectMoneySettled } from './expectations.ts'

const STEP = 'flow.step_completed.v1'

let checkout: Checkout

const eventsNamed = async (draftId: string, name: string) =>
  (await eventsOf(checkout, draftId)).filter(({ subject }) => subject.endsWith(name))

const stepsToPaying = async (draftId: string) =>
  (await eventsNamed(draftId, STEP)).filter(({ payload }) => payload['toState'] === 'paying')

const changeDraft = (draftId: string, assignment: string) =>
  checkout.environment.query(
    `update ${checkout.environment.schema}.booking_draft set ${assignment} where id = $1`,
    [uuidOf(draftId)],
  )

/** Not a sample of them only. */
async function reportEveryStep(): Promise<void> {
  const { cacheRedis, flags } = checkout.service.ctx
  const subject = `melmastoon.bff.tenant.${STEP}`
  await cacheRedis.set('bff-tenant-flags', JSON.stringify({ sampleRates: { [subject]: 1 } }))
  await eventually(() => {
    if (flags.sampleRates()[subject] !== 1) throw new Error('the flags are not read yet')
  })
}

export function describePaymentRequests(shared: () => Checkout): void {
  beforeAll(async () => {
    checkout = shared()
    await reportEveryStep()
  })

  describe('POST /draft/{id}/payment-intent', () => {
    it('two tabs at once: the step to the payment is reported once', async () => {
      const own = await checkout.begin()
      const fault = { kind: 'slow', delayMs: 500, operation: 'createIntent' } as const
      const responses = await whileBroken(checkout, ['payment', fault], async () => {
        const first = requestPayment(own, 'card')
        await eventually(async () =>
          expect((await checkout.stored(own.draftId)).attempts).toHaveLength(1),
        )
        return await Promise.all([first, requestPayment(own, 'card')])
      })
      const [first, second] = responses.map(({ status }) => status)
      expect(first).toBe(201)
      // 409 while the payment service is still processing the request of the first tab.
      expect([201, 409]).toContain(second)
      expect(await stepsToPaying(own.draftId)).toMatchObject([
        { payload: { fromState: 'collecting_details', toState: 'paying' } },
      ])
    })

    it('a request that timed out and is repeated: the step is reported once', async () => {
      const own = await checkout.begin()
      const key = newId('req')
      const fault = { kind: 'hanging', operation: 'createIntent' } as const
      await whileBroken(checkout, ['payment', fault], async () => {
        const { status } = await requestPayment(own, 'card', { key })
        expect(status).toBeGreaterThanOrEqual(500)
      })
      expect((await checkout.stored(own.draftId)).state).toBe('paying')
      expect(await stepsToPaying(own.draftId)).toHaveLength(1)
      await eventually(async () =>
        expect((await requestPayment(own, 'card', { key })).status).toBe(201),
      )
      expect(await stepsToPaying(own.draftId)).toHaveLength(1)
    })

    it('an expired hold leaves an entry in the trail and one event', async () => {
      const own = await checkout.begin()
      await checkout.desk.expireHold(own.draftId)
      for (const response of [
        await requestPayment(own, 'card'),
        await requestPayment(own, 'card'),
      ]) {
        const expected = [410, 'MELMASTOON.BFF.TENANT.HOLD_EXPIRED']
        expect([response.status, codeOf(response)]).toEqual(expected)
      }
      const { schema } = checkout.environment
      const trail = await checkout.environment.query<{ code: string }>(
        `select e ->> 'code' as code from ${schema}.booking_draft d,
           jsonb_array_elements(d.error_trail) e where d.id = $1`,
        [uuidOf(own.draftId)],
      )
      expect(trail).toEqual([{ code: 'MELMASTOON.BFF.TENANT.HOLD_EXPIRED' }])
      expect(await eventsNamed(own.draftId, 'flow.error_encountered.v1')).toHaveLength(1)
      expect((await readDraft(own)).messageKey).toBe('booking.hold.lapsed')
    })

    it('a sandbox code raises the price until the guest accepts it', async () => {
      const own = await checkout.begin({ promoCode: 'SANDBOX-PRICE-UP' })
      const changed = await requestPayment(own, 'cash_on_arrival')
      expect(codeOf(changed)).toBe('MELMASTOON.BFF.TENANT.PRICE_CHANGED')
      const unaccepted = await requestPayment(own, 'cash_on_arrival')
      expect(codeOf(unaccepted)).toBe('MELMASTOON.BFF.TENANT.CONSENT_REQUIRED')
      const { changedTerms, terms } = await readDraft(own)
      expect(changedTerms?.total.amountMinor).toBeGreaterThan(terms.total.amountMinor)
      const digest = changedTerms?.digest ?? ''
      expectView(await own.guest.post(`/draft/${own.draftId}/accept-price`, { digest }), 200)
      await startPayment(own, 'cash_on_arrival')
      expectView<DraftVM>(await confirm(own), 200)
      expect((await expectConfirmed(checkout, own)).terms.digest).toBe(digest)
    })

    it('a draft that was given up cannot be confirmed', async () => {
      const own = await checkout.begin()
      expectView(await own.guest.delete(`/draft/${own.draftId}`), 200)
      const rejected = await confirm(own)
      expect([rejected.status, codeOf(rejected)]).toEqual([
        410,
        'MELMASTOON.BFF.TENANT.DRAFT_ENDED',
      ])
    })

    it('a price that changed keeps the extension that was made at the same time', async () => {
      const own = await checkout.begin()
      await changeDraft(own.draftId, `hold_expires_at = clock_timestamp() + interval '1 minute'`)
      await checkout.staff.changePrices(500)
      const response = await requestPayment(own, 'card')
      expect(codeOf(response)).toBe('MELMASTOON.BFF.TENANT.PRICE_CHANGED')
      const { holdExpiresAt, holdExtensions } = await checkout.desk.reservationOf(own.draftId)
      expect(holdExtensions).toBe(1)
      const view = await readDraft(own)
      expect(view.hold.expiresAt).toBe(holdExpiresAt)
      expect(view.changedTerms).not.toBeNull()
    })
  })

  describe('addresses that a guest returns to', () => {
    const domain = 'stay.creek-pearl.example'

    it.each([
      ['of the shared host', undefined, `http://localhost:8082/${SLUG}/`],
      ['of the host of the hotel', `${SLUG}.localhost`, `http://${SLUG}.localhost:8082/`],
      ['of a domain of the hotel', domain, `https://${domain}/`],
    ])('are those %s', async (_name, host, origin) => {
      if (host === domain) await checkout.platform.addDomain(checkout.hotel.tenantId, domain)
      const { url } = checkout.service
      const guest =
        host === undefined
          ? checkout.site.browser('path')
          : createBrowser({ url, base: '/api', headers: { host } })
      await eventually(async () => expect((await guest.get('/bootstrap')).status).toBe(200))
      const own = await checkout.begin({}, guest)
      const back = await pressOnPage(checkout.sandbox.url, await startPayment(own, 'card'))
      expect(back.href.startsWith(`${origin}book/return?draft=${own.draftId}`)).toBe(true)
      const { outcome } = expectView<DraftVM>(await comeBack(own, back), 200)
      expect(outcome?.confirmationLink?.startsWith(origin)).toBe(true)
    })
  })

  describe('a release that is decided and cannot be finished', () => {
    it('DELETE is in progress, is not stored, and ends when it is repeated', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      const remove = (key: string) => own.guest.delete(`/draft/${own.draftId}`, { key })
      const key = newId('req')
      await whileBroken(checkout, ['reservation', { kind: 'down' }], async () => {
        expect(expectView<DraftVM>(await remove(key), 202).state).toBe('paying')
        expect((await checkout.stored(own.draftId)).decision).toBe('release')
        const confirmed = await confirm(own)
        expect(codeOf(confirmed)).toBeUndefined()
        expect(confirmed.status).toBe(202)
      })
      await eventually(async () => {
        await checkout.poll(own.draftId)
        expect((await checkout.stored(own.draftId)).state).toBe('abandoned')
      })
      const final = await persist(() => remove(key))
      expect(expectView<DraftVM>(final, 200).state).toBe('abandoned')
      await expectMoneySettled(checkout, own.draftId)
    })
  })

  describe('the page of the provider', () => {
    const languageOf = ({ payment }: DraftVM) => {
      const { nextAction = null } = payment ?? {}
      if (nextAction?.kind !== 'redirect') throw new Error('there is no page')
      return new URL(nextAction.url).searchParams.get('lang')
    }

    it('has the language of the guest, also when it is read again later', async () => {
      const own = await checkout.begin()
      expectView(await own.guest.post('/session/locale', { locale: 'fa-AF' }), 200)
      expect(languageOf(await startPayment(own, 'card'))).toBe('fa-AF')
      await checkout.environment.query(
        `update ${checkout.environment.schema}.booking_payment_attempt
         set intent_version = 0, next_action = null where draft_id = $1`,
        [uuidOf(own.draftId)],
      )
      await checkout.poll(own.draftId)
      expect(languageOf(await readDraft(own))).toBe('fa-AF')
    })
  })

  describe('the check of settled bookings', () => {
    it('reports a confirmed stay whose payment was cancelled', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'cash_on_arrival')
      await confirm(own)
      await expectConfirmed(checkout, own)
      const check = () => checkFulfilments(checkout.service.ctx, new AbortController().signal)
      const before = await check()
      await checkout.sandbox.environment.query(
        `update sandbox.payment_intent set status = 'cancelled' where payment_intent_id = $1`,
        [idToUuid(await checkout.intentIdOf(own.draftId))],
      )
      expect(await check()).toEqual({ ...before, violations: before.violations + 1 })
    })
  })
}
