import { expect } from 'vitest'
import { freshStay } from '../harness/booking-flow.ts'
import { type Checkout, comeBack, confirm, type GuestDraft, startPayment } from './checkout.ts'
import { expectMoneySettled } from './expectations.ts'

const AT_ONCE = 10

export async function inBatches<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))))
  }
  return results
}

/** All hold a room of one type; all holds expire, one room is left, then all payments arrive. */
export async function payLate(checkout: Checkout, payers: number) {
  const { hotel, desk } = checkout
  const stay = freshStay(hotel)
  // More than needed: a hold whose response was late is placed again by another guest.
  await checkout.leaveRooms(stay, 2 * payers)
  const drafts = await inBatches(Array.from({ length: payers }), async () => {
    const own = await checkout.begin({ stay })
    await startPayment(own, 'mobile_money')
    return own
  })
  await inBatches(drafts, ({ draftId }) => desk.expireHold(draftId))
  await checkout.leaveRooms(stay, 1)
  await inBatches(drafts, async ({ draftId }) =>
    checkout.approve(await checkout.intentIdOf(draftId)),
  )
  await Promise.all(drafts.map(settle))
  await checkout.poll(...drafts.map(({ draftId }) => draftId))
  return await countEnds(checkout, drafts)
}

/** Half of the guests return, the others confirm. */
async function settle(own: GuestDraft, index: number): Promise<void> {
  const { status } = await (index % 2 === 0 ? comeBack(own) : confirm(own))
  expect([200, 202]).toContain(status)
}

async function countEnds(checkout: Checkout, drafts: readonly GuestDraft[]) {
  const ends = { confirmed: 0, refunded: 0 }
  await inBatches(drafts, async ({ draftId }) => {
    const { stay } = await expectMoneySettled(checkout, draftId)
    ends[stay.status === 'confirmed' ? 'confirmed' : 'refunded'] += 1
  })
  return ends
}
