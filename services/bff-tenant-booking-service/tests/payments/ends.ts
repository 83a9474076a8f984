import { eventually, spawnProcess } from '@melmastoon/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { sweepDrafts } from '../../src/sweeping/sweep-drafts.ts'
import { draftOf, expectView, withDetails } from '../harness/booking-flow.ts'
import { whileBroken } from '../harness/stays.ts'
import {
  type Checkout,
  codeOf,
  comeBack,
  confirm,
  pressOnPage,
  readDraft,
  requestPayment,
  startPayment,
  uuidOf,
} from './checkout.ts'
import { drainWhileGuestsBook } from './drain.ts'
import { endEventsOf, expectConfirmed, expectMoneySettled } from './expectations.ts'
import { abandonMany, abandonments } from './many-drafts.ts'
import { bookWhileRedisIsEmptied } from './running-bookings.ts'

const ENTRY = new URL('../../src/main.ts', import.meta.url)

/** Events arrive late on a busy machine. */
const LONG = { timeoutMs: 20_000 }

let checkout: Checkout

const sweep = () => sweepDrafts(checkout.service.ctx, new AbortController().signal)

async function emptyRedis(): Promise<void> {
  const { sessionRedis, cacheRedis } = checkout.service.ctx
  await Promise.all([sessionRedis.flushdb(), cacheRedis.flushdb()])
}

export function describeEnds(shared: () => Checkout): void {
  beforeAll(() => {
    checkout = shared()
  })

  describe('the sweeper', () => {
    it('PAY-51 closes an open payment before it ends the draft', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      await checkout.expireDraft(own.draftId)
      expect(await sweep()).toMatchObject({ postponed: 0 })
      expect((await checkout.intentOf(own.draftId)).status).toBe('cancelled')
      const view = await readDraft(own)
      expect(view).toMatchObject({ state: 'abandoned', messageKey: 'booking.draft.ended' })
      expect((await checkout.desk.reservationOf(own.draftId)).status).toBe('cancelled')
      expect(await endEventsOf(checkout, own.draftId)).toEqual(['booking.draft.abandoned.v1'])
    })

    it('PAY-51 ends a draft whose guest chose cash and never asked to book', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'cash_on_arrival')
      await checkout.expireDraft(own.draftId)
      expect(await sweep()).toMatchObject({ postponed: 0 })
      expect((await checkout.intentOf(own.draftId)).status).toBe('cancelled')
      expect(await readDraft(own)).toMatchObject({ state: 'abandoned', actions: [] })
      expect((await checkout.desk.reservationOf(own.draftId)).status).toBe('cancelled')
      expect(await endEventsOf(checkout, own.draftId)).toEqual(['booking.draft.abandoned.v1'])
    })

    it('PAY-51 confirms when the open payment turns out to be captured', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      await checkout.approve(await checkout.intentIdOf(own.draftId))
      await checkout.expireDraft(own.draftId)
      await sweep()
      await expectConfirmed(checkout, own)
    })

    it('T15 ends a draft whose Redis keys are lost, and releases its room', async () => {
      const own = await checkout.begin()
      await emptyRedis()
      await checkout.expireDraft(own.draftId)
      await sweep()
      expect((await checkout.stored(own.draftId)).state).toBe('abandoned')
      expect((await checkout.desk.reservationOf(own.draftId)).status).toBe('cancelled')
      expect(await endEventsOf(checkout, own.draftId)).toEqual(['booking.draft.abandoned.v1'])
    })

    it('T15 300 drafts abandoned at once, three sweepers: one event each', async () => {
      const own = await checkout.begin()
      const before = await abandonments(checkout)
      await abandonMany(checkout, own, 300)
      expect((await abandonments(checkout)).open).toBe(300)
      await Promise.all([sweep(), sweep(), sweep()])
      const { events = 0, drafts = 0 } = before
      expect(await abandonments(checkout)).toEqual({
        events: events + 300,
        drafts: drafts + 300,
        open: 0,
      })
    })

    it('T15 continues after it was killed: each draft ends once', async () => {
      const own = await checkout.begin()
      const before = await abandonments(checkout)
      await abandonMany(checkout, own, 30)
      const env = { ...checkout.env, NODE_ENV: 'test', MELMASTOON_CRASH_AT: 'sweep.after_draft' }
      const args = ['jobs', 'run', 'sweep-abandoned-drafts']
      await using killed = spawnProcess(ENTRY, { env, args })
      expect((await killed.exited).signal).toBe('SIGKILL')
      const between = await abandonments(checkout)
      expect(between.open).toBeLessThan(30)
      expect(between.open).toBeGreaterThan(0)
      await sweep()
      const { events = 0, drafts = 0 } = before
      expect(await abandonments(checkout)).toEqual({
        events: events + 30,
        drafts: drafts + 30,
        open: 0,
      })
    })
  })

  describe('many due records', () => {
    it('PAY-58 300 due records are drained, and guests are not delayed', async () => {
      const { slowestMs, settled } = await drainWhileGuestsBook(checkout, {
        records: 300,
        guests: 4,
      })
      expect(settled).toBe(300)
      expect(slowestMs).toBeLessThan(5_000)
    })
  })

  describe('PAY-54 the tenant is suspended', () => {
    it('PAY-54 at each step: no new money, and every captured payment is settled', async () => {
      const { platform, service, hotel, site } = checkout
      const guest = await site.guest()
      const holding = await draftOf(guest, hotel)
      const collecting = await checkout.begin()
      const open = await checkout.begin()
      await startPayment(open, 'card')
      const captured = await checkout.begin()
      await startPayment(captured, 'mobile_money')
      await checkout.approve(await checkout.intentIdOf(captured.draftId))
      const authorized = await checkout.begin()
      await pressOnPage(checkout.sandbox.url, await startPayment(authorized, 'card'))
      const confirmed = await checkout.begin()
      await startPayment(confirmed, 'cash_on_arrival')
      await confirm(confirmed)

      await platform.suspend(hotel.tenantId)
      await eventually(() => expect(service.ctx.blocked.has(hotel.tenantId)).toBe(true), LONG)
      for (const rejected of [
        await requestPayment(collecting, 'card'),
        await comeBack(captured),
        await guest.get(`/draft/${holding.draftId}`),
      ]) {
        expect([rejected.status, codeOf(rejected)]).toEqual([
          503,
          'MELMASTOON.BFF.TENANT.SITE_SUSPENDED',
        ])
      }
      // Guests keep the documents of their stays.
      const { outcome } = await readDraft(confirmed)
      for (const path of ['', '/calendar.ics']) {
        const document = await confirmed.guest.get(`${outcome?.confirmationPath}${path}`)
        expect(document.status).toBe(200)
      }
      await checkout.poll(open.draftId, captured.draftId, authorized.draftId)
      expect(await readDraft(captured)).toMatchObject({ state: 'confirmed' })
      expect((await checkout.intentOf(open.draftId)).status).toBe('cancelled')
      for (const { draftId } of [captured, authorized, confirmed]) {
        await expectMoneySettled(checkout, draftId)
      }
      for (const { draftId } of [holding, collecting, open]) {
        await checkout.expireDraft(draftId)
      }
      await sweep()
      for (const { draftId } of [holding, collecting, open]) {
        expect((await checkout.stored(draftId)).state).toBe('abandoned')
        await expectMoneySettled(checkout, draftId)
      }

      await platform.reactivate(hotel.tenantId)
      await eventually(() => expect(service.ctx.blocked.has(hotel.tenantId)).toBe(false), LONG)
      await expectConfirmed(checkout, confirmed)
    })
  })

  describe('PAY-57 the payment service is down', () => {
    it('PAY-57 for half an hour after the capture: settled within a minute of its return', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      await checkout.approve(await checkout.intentIdOf(own.draftId))
      // As many tries as half an hour has.
      const tries = 62
      await whileBroken(checkout, ['payment', { kind: 'down' }], async () => {
        for (let count = 0; count < tries; count += 1) await checkout.poll(own.draftId)
        const response = await comeBack(own)
        expect(expectView<DraftVM>(response, 202).messageKey).toBe('booking.pay.checking')
      })
      const { schema } = checkout.environment
      const [row] = await checkout.environment.query<{ seconds: number; tries: number }>(
        `select extract(epoch from next_at - clock_timestamp())::float8 as seconds, tries
       from ${schema}.booking_fulfilment where draft_id = $1`,
        [uuidOf(own.draftId)],
      )
      expect(row?.tries).toBeGreaterThanOrEqual(tries)
      expect(row?.seconds).toBeLessThan(60)
      await eventually(async () => {
        await checkout.poll(own.draftId)
        await expectConfirmed(checkout, own)
      })
    })
  })

  describe('PAY-53 Redis is emptied', () => {
    it('PAY-53 before every step: the booking is confirmed', async () => {
      const guest = await checkout.site.guest()
      const held = await draftOf(guest, checkout.hotel)
      await emptyRedis()
      const draft = await withDetails(guest, held)
      const own = { guest, draft, draftId: draft.draftId }
      await emptyRedis()
      const paying = await startPayment(own, 'card')
      await emptyRedis()
      expect((await readDraft(own)).state).toBe('paying')
      await pressOnPage(checkout.sandbox.url, paying)
      await emptyRedis()
      expect(expectView<DraftVM>(await comeBack(own), 200).state).toBe('confirmed')
      await emptyRedis()
      await expectConfirmed(checkout, own)
    })

    it('PAY-53 during twenty running bookings: all end confirmed or refunded', async () => {
      const { confirmed, refunded } = await bookWhileRedisIsEmptied(checkout, 20)
      expect(confirmed + refunded).toBe(20)
      expect(confirmed).toBeGreaterThan(0)
    })
  })
}
