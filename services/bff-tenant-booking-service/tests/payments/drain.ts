import { eventually } from '@melmastoon/testkit'
import { expect } from 'vitest'
import { type Checkout, confirm, startPayment } from './checkout.ts'
import { declineMany, dueRecords } from './many-drafts.ts'

const DRAIN_MS = 240_000

/** The poller of one process drains the records while guests book with it. */
export async function drainWhileGuestsBook(
  checkout: Checkout,
  { records, guests }: { readonly records: number; readonly guests: number },
) {
  const original = await checkout.begin()
  await startPayment(original, 'card')
  const before = await declined(checkout)
  await declineMany(checkout, original, records)
  expect(await dueRecords(checkout)).toBeGreaterThanOrEqual(records)
  const ready = []
  for (let count = 0; count < guests; count += 1) ready.push(await checkout.begin())
  await using another = await checkout.startAnother({ pollerOptions: { idleMs: 20 } })
  const startedMs = performance.now()
  let slowestMs = 0
  for (const own of ready) {
    const guest = own.guest.at({ url: another.url })
    await startPayment({ ...own, guest }, 'cash_on_arrival')
    const { status, durationMs } = await confirm({ ...own, guest })
    expect(status).toBe(200)
    slowestMs = Math.max(slowestMs, durationMs)
  }
  await eventually(async () => expect(await dueRecords(checkout)).toBe(0), {
    timeoutMs: DRAIN_MS,
    intervalMs: 100,
  })
  const settled = (await declined(checkout)) - before
  return { slowestMs, settled, drainedMs: performance.now() - startedMs }
}

function declined({ environment }: Checkout): Promise<number> {
  const isDeclined = `status = 'closed' and intent_status = 'failed'`
  return environment.countRows('booking_payment_attempt', isDeclined)
}
