import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepDrafts } from '../../src/sweeping/sweep-drafts.ts'
import { type Checkout, startCheckout } from './checkout.ts'
import { CRASHES, expectSettledAfter, killAt } from './crashes.ts'
import { drainWhileGuestsBook } from './drain.ts'
import { payLate } from './late-payers.ts'
import { abandonMany, abandonments } from './many-drafts.ts'
import { bookWhileRedisIsEmptied } from './running-bookings.ts'

/** The complete forms of tests that `npm test` runs with smaller numbers. */
let checkout: Checkout

beforeAll(async () => {
  checkout = await startCheckout()
})
afterAll(() => checkout[Symbol.asyncDispose]())

const MINUTES = 60_000

describe('payments', () => {
  it(
    'PAY-42 HOLD-10 200 late payers, one room: one stay, 199 refunds',
    async () => {
      expect(await payLate(checkout, 200)).toEqual({ confirmed: 1, refunded: 199 })
    },
    5 * MINUTES,
  )

  it(
    'PAY-53 Redis emptied during 200 running bookings: all end confirmed or refunded',
    async () => {
      const { confirmed, refunded, times } = await bookWhileRedisIsEmptied(checkout, 200)
      process.stdout.write(`200 bookings, Redis emptied ${times} times: ${confirmed} confirmed\n`)
      expect(confirmed + refunded).toBe(200)
    },
    5 * MINUTES,
  )

  it(
    'PAY-55 kill -9 at every point, three processes: F1',
    async () => {
      await using _first = await checkout.spawnAnother()
      await using _second = await checkout.spawnAnother()
      const killed = []
      for (const crash of CRASHES) killed.push({ crash, own: await killAt(checkout, crash) })
      for (const { crash, own } of killed) await expectSettledAfter(checkout, crash, own)
      process.stdout.write(`killed at ${killed.length} points\n`)
    },
    10 * MINUTES,
  )

  it(
    'PAY-58 10,000 due records are drained, and guests are not delayed',
    async () => {
      const drained = await drainWhileGuestsBook(checkout, { records: 10_000, guests: 30 })
      process.stdout.write(
        `drained in ${drained.drainedMs} ms, slowest confirmation ${drained.slowestMs} ms\n`,
      )
      expect(drained.settled).toBe(10_000)
      expect(drained.slowestMs).toBeLessThan(5_000)
    },
    8 * MINUTES,
  )

  it(
    '10,000 drafts abandoned at once: swept within two minutes, one event each',
    async () => {
      const own = await checkout.begin()
      await abandonMany(checkout, own, 10_000)
      const before = await abandonments(checkout)
      expect(before.open).toBeGreaterThanOrEqual(10_000)
      const startedMs = performance.now()
      const sweep = () => sweepDrafts(checkout.service.ctx, new AbortController().signal)
      await Promise.all([sweep(), sweep(), sweep()])
      const sweptMs = performance.now() - startedMs
      process.stdout.write(`10,000 drafts swept in ${sweptMs} ms\n`)
      expect(sweptMs).toBeLessThan(2 * MINUTES)
      const { events = 0, drafts = 0 } = before
      expect(await abandonments(checkout)).toEqual({
        events: events + before.open,
        drafts: drafts + before.open,
        open: 0,
      })
    },
    4 * MINUTES,
  )
})
