import { eventually } from '@melmastoon/testkit'
import { expect } from 'vitest'
import { freshStay } from '../harness/booking-flow.ts'
import {
  type Checkout,
  confirm,
  type GuestDraft,
  pressOnPage,
  requestPayment,
  startPayment,
  uuidOf,
} from './checkout.ts'
import { expectMoneySettled } from './expectations.ts'

/** What the guest has done before the process dies, and the request that kills it. */
type Situation = 'paid' | 'sold_out' | 'abandoned' | 'requested'

export interface Crash {
  readonly point: string
  readonly situation: Situation
}

/** Every crash point on the way of a payment, with a situation that reaches it. */
export const CRASHES: readonly Crash[] = [
  { point: 'fulfilment.after_claim', situation: 'paid' },
  { point: 'fulfilment.after_read_intent', situation: 'paid' },
  { point: 'fulfilment.after_decide_confirm', situation: 'paid' },
  { point: 'fulfilment.after_confirm_stay', situation: 'paid' },
  { point: 'fulfilment.after_capture', situation: 'paid' },
  { point: 'fulfilment.after_finish_confirmed', situation: 'paid' },
  { point: 'fulfilment.after_confirm_stay', situation: 'sold_out' },
  { point: 'fulfilment.after_cancel_stay', situation: 'sold_out' },
  { point: 'fulfilment.after_return_money', situation: 'sold_out' },
  { point: 'fulfilment.after_finish_released', situation: 'sold_out' },
  { point: 'fulfilment.after_close_intent', situation: 'abandoned' },
  { point: 'fulfilment.after_decide_release', situation: 'abandoned' },
  { point: 'idempotency.after_claim', situation: 'requested' },
  { point: 'idempotency.before_complete', situation: 'requested' },
  { point: 'idempotency.before_send', situation: 'requested' },
]

async function prepare(checkout: Checkout, situation: Situation): Promise<GuestDraft> {
  const stay = freshStay(checkout.hotel)
  const own = await checkout.begin({ stay })
  if (situation === 'requested') return own
  const method = situation === 'paid' ? 'card' : 'mobile_money'
  const paying = await startPayment(own, method)
  if (situation === 'paid') await pressOnPage(checkout.sandbox.url, paying)
  if (situation === 'sold_out') {
    await checkout.desk.expireHold(own.draftId)
    await checkout.leaveRooms(stay, 0)
    await checkout.approve(await checkout.intentIdOf(own.draftId))
  }
  return own
}

function trigger(situation: Situation, own: GuestDraft) {
  if (situation === 'requested') return requestPayment(own, 'card')
  if (situation === 'abandoned') return own.guest.delete(`/draft/${own.draftId}`)
  return confirm(own)
}

const HOUR_SECONDS = 3_600

/** When the pollers look at a booking next. */
async function setDue({ environment }: Checkout, draftId: string, seconds: number): Promise<void> {
  await environment.query(
    `update ${environment.schema}.booking_fulfilment
     set next_at = clock_timestamp() + $2::int * interval '1 second' where draft_id = $1`,
    [uuidOf(draftId), seconds],
  )
}

/** A process receives the request of the guest and dies at the point. */
export async function killAt(checkout: Checkout, { point, situation }: Crash): Promise<GuestDraft> {
  await using victim = await checkout.spawnAnother({ MELMASTOON_CRASH_AT: point })
  const own = await prepare(checkout, situation)
  // No other process may be faster.
  await setDue(checkout, own.draftId, HOUR_SECONDS)
  await trigger(situation, { ...own, guest: own.guest.at({ url: victim.url }) }).catch(() => null)
  expect({ point, ...(await victim.exited) }).toMatchObject({ point, signal: 'SIGKILL' })
  await setDue(checkout, own.draftId, 0)
  return own
}

/** As if the lease of the killed process were over: its claim no longer counts. */
export async function endLease({ environment }: Checkout, draftId: string): Promise<void> {
  await environment.query(
    `update ${environment.schema}.booking_fulfilment set lease_until = '-infinity'
     where draft_id = $1`,
    [uuidOf(draftId)],
  )
}

/** After the crash the guest does it again, or nobody does and the pollers continue. */
export async function expectSettledAfter(
  checkout: Checkout,
  { situation }: Pick<Crash, 'situation'>,
  own: GuestDraft,
): Promise<void> {
  const { stay } = await eventually(
    async () => {
      await repeat(situation, own)
      return await expectMoneySettled(checkout, own.draftId)
    },
    { timeoutMs: 30_000, intervalMs: 250 },
  )
  const isStay = situation === 'paid' || situation === 'requested'
  expect(stay.status).toBe(isStay ? 'confirmed' : 'cancelled')
}

async function repeat(situation: Situation, own: GuestDraft): Promise<void> {
  if (situation === 'abandoned') await own.guest.delete(`/draft/${own.draftId}`)
  if (situation !== 'requested') return
  const { status } = await requestPayment(own, 'cash_on_arrival')
  expect([201, 409]).toContain(status)
  await confirm(own)
}
