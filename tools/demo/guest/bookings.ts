import { isId } from '@melmastoon/domain'
import { expectThat } from '../shared/demo-failure.ts'
import { type Demo, showAmount } from './demo.ts'
import type { BookingLink } from './find-hotel.ts'
import { type Draft, GuestSite } from './guest-site.ts'
import { pageOf, payOnPage } from './provider-page.ts'

/** Approves after three seconds (docs/sandbox-triggers.md). */
const PHONE = '+93700000000'

interface Guest {
  readonly site: GuestSite
  readonly draft: Draft
}

/** A guest with a room on hold and details entered. */
async function prepare(demo: Demo, link: BookingLink, title: string): Promise<Guest> {
  demo.say.title(title)
  const site = new GuestSite(demo, link)
  await site.open()
  return { site, draft: await site.enterDetails(await site.hold()) }
}

function expectState(draft: Draft, state: Draft['state']): void {
  expectThat(draft.state === state, `${draft.draftId} is ${draft.state}, expected ${state}`)
}

export async function bookByCard(demo: Demo, link: BookingLink): Promise<void> {
  demo.say.title('A card, with the page of a payment provider')
  const site = new GuestSite(demo, link)
  await site.open(link.token)
  const held = await site.extend(await site.hold())
  const draft = await site.enterDetails(held)
  const paying = await site.pay(draft, 'card')
  const back = await payOnPage(demo, pageOf(demo, paying), 'tok_ok')
  await site.returnWith(paying, back)
  const ended = await site.awaitEnd(paying)
  expectState(ended, 'confirmed')
  await site.readConfirmation(ended)
}

export async function bookByCash(demo: Demo, link: BookingLink): Promise<void> {
  const { site, draft } = await prepare(demo, link, 'Cash on arrival')
  await site.confirm(await site.pay(draft, 'cash_on_arrival'))
  const ended = await site.awaitEnd(draft)
  expectState(ended, 'confirmed')
  await site.readConfirmation(ended)
}

export async function bookByPhone(demo: Demo, link: BookingLink): Promise<void> {
  const { site, draft } = await prepare(demo, link, 'Mobile money: the guest approves on the phone')
  await site.confirm(await site.pay(draft, 'mobile_money', PHONE))
  expectState(await site.awaitEnd(draft), 'confirmed')
}

export async function bookAfterDecline(demo: Demo, link: BookingLink): Promise<void> {
  const { site, draft } = await prepare(demo, link, 'A declined card, then another one')
  const first = await site.pay(draft, 'card')
  const failed = await payOnPage(demo, pageOf(demo, first), 'tok_decline_insufficient_funds')
  const declined = await site.returnWith(first, failed)
  expectThat(declined.messageKey === 'booking.pay.declined', `shown: ${declined.messageKey}`)
  demo.say.detail(`allowed now: ${declined.actions.join(', ')}`)
  const second = await site.pay(declined, 'card')
  await site.returnWith(second, await payOnPage(demo, pageOf(demo, second), 'tok_ok'))
  expectState(await site.awaitEnd(second), 'confirmed')
}

export async function bookLate(demo: Demo, link: BookingLink): Promise<void> {
  const title = 'A payment after the hold: the room is still free'
  const { site, draft } = await prepare(demo, link, title)
  const paying = await site.pay(draft, 'card')
  const page = pageOf(demo, paying)
  await expireHold(demo, link, page.paymentIntentId)
  await site.returnWith(paying, await payOnPage(demo, page, 'tok_ok'))
  const ended = await site.awaitEnd(paying)
  expectState(ended, 'confirmed')
  demo.say.detail(`the room was taken again at the same price, ${showAmount(ended.terms.total)}`)
}

/** The money is returned, and the guest is told why. */
export async function payTooLate(demo: Demo, link: BookingLink): Promise<void> {
  const title = 'A payment after the hold: the hotel is sold out'
  const { site, draft } = await prepare(demo, link, title)
  const first = await site.pay(draft, 'card')
  const { paymentIntentId } = pageOf(demo, first)
  const paying = await site.pay(first, 'mobile_money', PHONE)
  demo.say.detail('the guest has changed the method; the first payment was cancelled')
  await expireHold(demo, link, paymentIntentId)
  const nights = { ...tenantOf(link), propertyId: link.propertyId, nights: nightsOf(link) }
  await demo.room.sellOut(nights)
  try {
    const ended = await site.awaitEnd(paying)
    expectThat(ended.messageKey === 'booking.refunded.sold_out', `shown: ${ended.messageKey}`)
    const refunded = ended.outcome?.refunded
    expectThat(refunded != null, 'nothing was refunded')
    demo.say.detail(`refunded: ${showAmount(refunded)}`)
  } finally {
    await demo.room.reopen(nights)
  }
}

async function expireHold(
  { room, say }: Demo,
  link: BookingLink,
  paymentIntentId: Parameters<Demo['room']['reservationOf']>[1],
): Promise<void> {
  const { tenantId } = tenantOf(link)
  await room.expireHold(tenantId, await room.reservationOf(tenantId, paymentIntentId))
  say.step('The hold expires before the guest has paid')
}

function tenantOf({ tenantId }: BookingLink) {
  expectThat(isId('tnt', tenantId), 'no tenant')
  return { tenantId }
}

function nightsOf({ stay }: BookingLink): string[] {
  const next = new Date(Date.parse(stay.checkIn) + 86_400_000).toISOString().slice(0, 10)
  return [stay.checkIn, next]
}
