import { idToUuid, newId } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import type { ExtensionVM } from '../../src/holds/extension-view.ts'
import {
  createDesk,
  draftOf,
  expectView,
  GUEST,
  hold,
  insertPayment,
  quoteOf,
  withDetails,
} from '../harness/booking-flow.ts'
import { eventNames, eventsOf } from '../harness/outbox-events.ts'
import type { Guest } from '../harness/site.ts'
import { type Booking, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { createStaff, hotelOf, whileBroken } from '../harness/stays.ts'

let booking: Booking
let hotel: PropertyDetail
let desk: ReturnType<typeof createDesk>
let staff: ReturnType<typeof createStaff>
let guest: Guest
let draft: DraftVM

beforeAll(async () => {
  booking = await startWithSandbox()
  hotel = await hotelOf(booking, SLUG)
  desk = createDesk(booking, hotel)
  staff = createStaff(booking, hotel)
})
afterAll(() => booking[Symbol.asyncDispose]())

async function newDraft(): Promise<void> {
  guest = await booking.site.guest()
  draft = await draftOf(guest, hotel)
}

const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code
const extend = (key = newId('req')) => guest.post(`/draft/${draft.draftId}/extend`, {}, { key })
const accept = (digest: string) => guest.post(`/draft/${draft.draftId}/accept-price`, { digest })
const read = async () => expectView<DraftVM>(await guest.get(`/draft/${draft.draftId}`), 200)

/** The hotel raises its prices while the work runs. */
async function whileRaised<T>(work: () => Promise<T>): Promise<T> {
  await staff.changePrices(2_500)
  try {
    return await work()
  } finally {
    await staff.changePrices(-2_000)
  }
}

describe('POST /draft/{id}/extend', () => {
  it('D11 extends the hold by ten minutes, and the price still matches', async () => {
    await newDraft()
    const response = await extend()
    const extension = expectView<ExtensionVM>(response, 200)
    expect(extension).toMatchObject({
      extensionsLeft: 9,
      warnBeforeSeconds: 60,
      priceCheck: { outcome: 'matched' },
      draft: { version: 2, state: 'holding', messageKey: 'booking.hold.active' },
    })
    const reservation = await desk.reservationOf(draft.draftId)
    expect(extension.holdExpiresAt).toBe(reservation.holdExpiresAt)
    expect(reservation.holdExtensions).toBe(1)
    // An extension is an action of the guest: the draft lives for thirty minutes from it.
    const leftMs = Date.parse(extension.draft.expiresAt) - Date.now()
    expect(leftMs).toBeGreaterThan(29 * 60_000)
    expect(leftMs).toBeLessThan(31 * 60_000)
  })

  it('is executed once per key', async () => {
    await newDraft()
    const key = newId('req')
    const first = await extend(key)
    const again = await extend(key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect((await desk.reservationOf(draft.draftId)).holdExtensions).toBe(1)
  })

  it('allows ten, also while paying, and keeps two for the service', async () => {
    await newDraft()
    await withDetails(guest, draft)
    await insertPayment(booking, draft.draftId)
    for (let left = 9; left >= 0; left -= 1) {
      expect(expectView<ExtensionVM>(await extend(), 200).extensionsLeft).toBe(left)
    }
    const rejected = await extend()
    expect([rejected.status, codeOf(rejected)]).toEqual([
      409,
      'MELMASTOON.BFF.TENANT.EXTENSION_LIMIT',
    ])
    expect((await desk.reservationOf(draft.draftId)).holdExtensions).toBe(10)
  })

  it('two tabs at once: both count', async () => {
    await newDraft()
    const both = await Promise.all([extend(), extend()])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await read()).hold.extensionsLeft).toBe(8)
    expect((await desk.reservationOf(draft.draftId)).holdExtensions).toBe(2)
  })

  it('rejects an expired hold, keeps the entries, and reports it once', async () => {
    await newDraft()
    await withDetails(guest, draft)
    await desk.expireHold(draft.draftId)
    for (const response of [await extend(), await extend()]) {
      expect([response.status, codeOf(response)]).toEqual([
        410,
        'MELMASTOON.BFF.TENANT.HOLD_EXPIRED',
      ])
    }
    expect(await read()).toMatchObject({
      messageKey: 'booking.hold.lapsed',
      guest: { fullName: GUEST.fullName },
      hold: { isActive: false, secondsLeft: 0 },
      actions: ['hold-again', 'save-details', 'cancel'],
    })
    const names = eventNames(await eventsOf(booking, draft.draftId))
    expect(names.filter((name) => name === 'flow.error_encountered.v1')).toHaveLength(1)
  })

  it('rejects a hold of which only the platform knows that it has expired', async () => {
    await newDraft()
    const { environment } = booking
    await desk.expireHold(draft.draftId)
    await environment.query(
      `update ${environment.schema}.booking_draft
       set hold_expires_at = now() + interval '1 minute' where id = $1`,
      [idToUuid(draft.draftId)],
    )
    expect(codeOf(await extend())).toBe('MELMASTOON.BFF.TENANT.HOLD_EXPIRED')
    const { hold: after, messageKey, actions } = await read()
    expect(after).toMatchObject({ isActive: false, secondsLeft: 0 })
    expect(messageKey).toBe('booking.hold.lapsed')
    expect(actions).not.toContain('extend-hold')
  })

  it('T19 tells old and new terms when the price has changed, and needs consent', async () => {
    await newDraft()
    await whileRaised(async () => {
      const { priceCheck, draft: after } = expectView<ExtensionVM>(await extend(), 200)
      expect(priceCheck.outcome).toBe('changed')
      expect(priceCheck.previous).toEqual(draft.terms)
      expect(priceCheck.current?.digest).not.toBe(draft.terms.digest)
      const difference =
        (priceCheck.current?.total.amountMinor ?? 0) - draft.terms.total.amountMinor
      expect(difference).toBeGreaterThan(0)
      expect(priceCheck.difference?.amountMinor).toBe(difference)
      expect(after).toMatchObject({
        messageKey: 'booking.price.changed',
        terms: draft.terms,
        changedTerms: priceCheck.current,
      })
      expect(after.actions).toContain('accept-price')
      // The same terms are not quoted again.
      const again = expectView<ExtensionVM>(await extend(), 200)
      expect(again.priceCheck.current?.quoteId).toBe(priceCheck.current?.quoteId)
    })
    const back = expectView<ExtensionVM>(await extend(), 200)
    expect([back.priceCheck.outcome, back.draft.changedTerms]).toEqual(['matched', null])
  })

  it('extends although the pricing service is down', async () => {
    await newDraft()
    await whileBroken(booking, ['pricing', { kind: 'down' }], async () => {
      const extension = expectView<ExtensionVM>(await extend(), 200)
      expect(extension.priceCheck).toEqual({ outcome: 'unknown' })
    })
  })

  it('does not exist for another session', async () => {
    await newDraft()
    const stranger = await booking.site.guest()
    const response = await stranger.post(`/draft/${draft.draftId}/extend`, {})
    expect(response.status).toBe(404)
  })
})

describe('POST /draft/{id}/accept-price', () => {
  it('T19 gives the hold the new price; its rooms stay held', async () => {
    await newDraft()
    await withDetails(guest, draft)
    const before = await desk.reservationOf(draft.draftId)
    await whileRaised(async () => {
      const { priceCheck } = expectView<ExtensionVM>(await extend(), 200)
      const changed = priceCheck.current
      if (changed === undefined) throw new Error('the price has not changed')
      const wrong = await accept(draft.terms.digest)
      expect([wrong.status, codeOf(wrong)]).toEqual([409, 'MELMASTOON.BFF.TENANT.PRICE_CHANGED'])
      expect(wrong.body).toMatchObject({
        previous: { digest: draft.terms.digest, total: draft.terms.total },
        current: { digest: changed.digest, total: changed.total },
      })
      const accepted = expectView<DraftVM>(await accept(changed.digest), 200)
      expect(accepted).toMatchObject({
        terms: changed,
        changedTerms: null,
        messageKey: 'booking.hold.active',
      })
      expect(accepted.actions).toContain('pay')
      const after = await desk.reservationOf(draft.draftId)
      expect(after).toMatchObject({
        reservationId: before.reservationId,
        status: 'held',
        digest: changed.digest,
      })
      expect(after.total).not.toEqual(before.total)
      // Nothing is left to accept.
      const twice = await accept(changed.digest)
      expect(codeOf(twice)).toBe('MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION')
    })
  })

  it('is rejected while a payment is open', async () => {
    await newDraft()
    await withDetails(guest, draft)
    await whileRaised(async () => {
      const { priceCheck } = expectView<ExtensionVM>(await extend(), 200)
      await insertPayment(booking, draft.draftId)
      const response = await accept(priceCheck.current?.digest ?? '')
      expect([response.status, codeOf(response)]).toEqual([
        409,
        'MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS',
      ])
      expect((await desk.reservationOf(draft.draftId)).digest).toBe(draft.terms.digest)
    })
  })

  it('is rejected when the hold has expired; holding again takes the new price', async () => {
    await newDraft()
    await whileRaised(async () => {
      const { priceCheck } = expectView<ExtensionVM>(await extend(), 200)
      await desk.expireHold(draft.draftId)
      const late = await accept(priceCheck.current?.digest ?? '')
      expect([late.status, codeOf(late)]).toEqual([410, 'MELMASTOON.BFF.TENANT.HOLD_EXPIRED'])
      const { draftId, terms } = draft
      const quote = await quoteOf(guest, hotel, { stay: terms.stay })
      const again = expectView<DraftVM>(await hold(guest, quote, { draftId }), 201)
      expect(again).toMatchObject({ changedTerms: null, terms: { digest: quote.digest } })
    })
  })
})
