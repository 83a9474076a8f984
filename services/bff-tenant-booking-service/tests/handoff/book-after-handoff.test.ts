import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { expectView, hold, payCash, quoteOf, withDetails } from '../harness/booking-flow.ts'
import { mintToken } from '../harness/handoff-token.ts'
import { eventsOf } from '../harness/outbox-events.ts'
import type { Guest } from '../harness/site.ts'
import { type Booking, PATIENT, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { hotelOf } from '../harness/stays.ts'

type Hotel = Awaited<ReturnType<typeof hotelOf>>

let booking: Booking
let hotel: Hotel
beforeAll(async () => {
  booking = await startWithSandbox({ overrides: { upstreamMs: PATIENT } })
  hotel = await hotelOf(booking, SLUG)
})
afterAll(() => booking[Symbol.asyncDispose]())

async function arrive(guest: Guest): Promise<string> {
  const arrival = await guest.post('/handoff/consume', { token: mintToken(hotel) })
  return expectView<{ handoffArrivalId: string }>(arrival, 200).handoffArrivalId
}

const linkedDraft = async (arrivalId: string) => {
  const { schema } = booking.environment
  const [row] = await booking.environment.query<{ booking_draft_id: string | null }>(
    `select booking_draft_id from ${schema}.handoff_arrival_log where id = $1`,
    [arrivalId],
  )
  return row?.booking_draft_id
}

describe('a booking after an arrival with a handoff', () => {
  it('T3 names the arrival, and the campaign that brought the guest', async () => {
    const guest = await booking.site.guest()
    const handoffArrivalId = await arrive(guest)
    await eventsOf(booking, guest.sessionId)
    expect(await linkedDraft(handoffArrivalId)).toBeNull()
    const held = await hold(guest, await quoteOf(guest, hotel), { handoffArrivalId })
    const { draftId } = expectView<DraftVM>(held, 201)
    expect(await linkedDraft(handoffArrivalId)).toBe(draftId)
    const [created] = await eventsOf(booking, draftId)
    expect(created?.payload).toMatchObject({ draftId, handoffArrivalId })
    expect(created?.envelope).toMatchObject({ marketingAttribution: { source: 'radio' } })
  })

  it('T3 a second booking does not replace the first one of the arrival', async () => {
    const guest = await booking.site.guest()
    const handoffArrivalId = await arrive(guest)
    const drafts: string[] = []
    for (const _ of [1, 2]) {
      const held = await hold(guest, await quoteOf(guest, hotel), { handoffArrivalId })
      drafts.push(expectView<DraftVM>(held, 201).draftId)
    }
    expect(await linkedDraft(handoffArrivalId)).toBe(drafts[0])
  })

  it('the arrival of another session is not found, and no room is held', async () => {
    const handoffArrivalId = await arrive(await booking.site.guest())
    const guest = await booking.site.guest()
    const held = await hold(guest, await quoteOf(guest, hotel), { handoffArrivalId })
    expect([held.status, held.body['code']]).toEqual([
      404,
      'MELMASTOON.BFF.TENANT.HANDOFF_NOT_FOUND',
    ])
    expect(await linkedDraft(handoffArrivalId)).toBeNull()
  })
})

it('T9 a confirmed booking contains a signed link that opens it on another device', async () => {
  await booking.platform.configure(hotel.tenantId, {
    paymentMethods: ['cash_on_arrival'],
    paymentEnabled: true,
  })
  const guest = await booking.site.guest('host')
  const held = expectView<DraftVM>(await hold(guest, await quoteOf(guest, hotel)), 201)
  expect(held.outcome).toBeNull()
  await payCash(guest, await withDetails(guest, held))
  const link = await eventually(async () => {
    const draft = expectView<DraftVM>(await guest.get(`/draft/${held.draftId}`), 200)
    if (draft.outcome?.confirmationLink == null) throw new Error('not confirmed yet')
    return new URL(draft.outcome.confirmationLink)
  })
  // The guest uses the hotel's own host; one on the shared host is tested with the confirmation.
  expect(link.origin).toBe(`http://${SLUG}.localhost:8082`)
  const path = link.pathname
  const opened = await booking.site.browser().get(`${path}${link.search}`)
  expect([opened.status, opened.text.includes('zarghuna@example.com')]).toEqual([200, false])
  const guessed = await booking.site.browser().get(path)
  expect(guessed.status).toBe(404)
})
