import { newId } from '@melmastoon/domain'
import { eventually, type ServiceProcess, textsOfPostgres, textsOfRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { draftOf, expectView } from '../harness/booking-flow.ts'
import { whileBroken } from '../harness/stays.ts'
import { CANARY, leaksIn } from './canary.ts'
import {
  type Checkout,
  comeBack,
  confirm,
  type GuestDraft,
  pressOnPage,
  requestPayment,
  startCheckout,
  startPayment,
} from './checkout.ts'
import { endLease, expectSettledAfter, killAt } from './crashes.ts'
import { expectConfirmed } from './expectations.ts'

let checkout: Checkout
/** A process of its own, which logs as much as it can. */
let logging: ServiceProcess

beforeAll(async () => {
  checkout = await startCheckout()
  logging = await checkout.spawnAnother({ LOG_LEVEL: 'debug' })
})
afterAll(async () => {
  await logging.kill('SIGTERM')
  await checkout[Symbol.asyncDispose]()
})

describe('several processes', () => {
  it('PAY-06 fifty confirmations at three instances at once lead to the same reservation', async () => {
    const own = await checkout.begin()
    await pressOnPage(checkout.sandbox.url, await startPayment(own, 'card'))
    await using second = await checkout.startAnother()
    await using third = await checkout.startAnother()
    const urls = [checkout.service.url, second.url, third.url]
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const guest = own.guest.at({ url: urls[index % urls.length] ?? second.url })
        return confirm({ ...own, guest })
      }),
    )
    expect(responses.filter(({ status }) => status !== 200 && status !== 202)).toEqual([])
    const reservations = [...responses, await confirm(own)]
      .filter(({ status }) => status === 200)
      .map((response) => expectView<DraftVM>(response, 200).outcome?.reservationId)
    expect(new Set(reservations)).toEqual(new Set([await checkout.desk.idOf(own.draftId)]))
    await expectConfirmed(checkout, own)
  })

  it('PAY-55 kill -9 between two steps of a refund: settled by another process', async () => {
    const crash = { point: 'fulfilment.after_cancel_stay', situation: 'sold_out' } as const
    const own = await killAt(checkout, crash)
    expect((await checkout.stored(own.draftId)).state).toBe('confirming')
    await endLease(checkout, own.draftId)
    await checkout.poll(own.draftId)
    await expectSettledAfter(checkout, crash, own)
  })
})

describe('PAY-59 personal data of the guest', () => {
  it('PAY-59 is nowhere in clear text: Postgres, Redis, logs, events, error bodies', async () => {
    const site = checkout.site.at(logging.url)
    const bodies: string[] = []
    const book = async (): Promise<GuestDraft> => {
      const guest = await site.guest()
      const { draftId, version } = await draftOf(guest, checkout.hotel)
      const path = `/draft/${draftId}`
      const failures = [
        await guest.patch(path, { version, guest: { ...CANARY, email: `${CANARY.email} x` } }),
        await guest.patch(path, { version, guest: { ...CANARY, phone: `${CANARY.phone}999999` } }),
        await guest.patch(path, { version: 99, guest: CANARY }),
        await guest.patch(path, { version: CANARY.email, guest: CANARY }),
        await guest.patch(path, { version, guest: { ...CANARY, termsAccepted: CANARY.fullName } }),
        await guest.patch(`/draft/${newId('bdr')}`, { version, guest: CANARY }),
      ]
      expect(failures.filter(({ status }) => status < 400)).toEqual([])
      bodies.push(...failures.map(({ text }) => text))
      const saved = await guest.patch(path, { version, guest: CANARY })
      const draft = expectView<DraftVM>(saved, 200)
      // The control: the own session sees its details, and the search would find them.
      expect(leaksIn([saved.text])).toHaveLength(1)
      return { guest, draft, draftId }
    }
    const byCard = await book()
    const wrongPhone = `${CANARY.phone}11111111`
    const rejected = await requestPayment(byCard, 'mobile_money', { phone: wrongPhone })
    expect(rejected.status).toBe(422)
    bodies.push(rejected.text)
    await pressOnPage(checkout.sandbox.url, await startPayment(byCard, 'card'))
    const lying = { kind: 'lying', operation: 'confirm' } as const
    const unclear = await whileBroken(checkout, ['reservation', lying], () => comeBack(byCard))
    expect(unclear.status).toBe(202)
    await eventually(async () => expectView<DraftVM>(await comeBack(byCard), 200))
    const byPhone = await book()
    for (const [upstream, operation] of [
      ['payment', 'tokenizePhone'],
      ['payment', 'createIntent'],
    ] as const) {
      const failed = await whileBroken(checkout, [upstream, { kind: 'lying', operation }], () =>
        requestPayment(byPhone, 'mobile_money', { phone: CANARY.phone }),
      )
      expect(failed.status).toBeGreaterThanOrEqual(500)
      bodies.push(failed.text)
    }
    await startPayment(byPhone, 'mobile_money', CANARY.phone)
    const again = await byPhone.guest.patch(`/draft/${byPhone.draftId}`, { guest: CANARY })
    bodies.push(again.text)
    expectView<DraftVM>(await byPhone.guest.delete(`/draft/${byPhone.draftId}`), 200)

    await logging.kill('SIGTERM')
    expect(logging.lines.join('\n')).toContain('service started')
    expect(leaksIn(bodies)).toEqual([])
    expect(leaksIn(logging.lines)).toEqual([])
    const stored = await textsOfPostgres(checkout)
    expect(stored.length).toBeGreaterThan(10)
    expect(stored.some((text) => text.startsWith('outbox'))).toBe(true)
    expect(leaksIn(stored)).toEqual([])
    const cached = await textsOfRedis(checkout)
    expect(cached.length).toBeGreaterThan(3)
    expect(leaksIn(cached)).toEqual([])
  })
})
