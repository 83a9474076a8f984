import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draftOf, payCash, withDetails } from '../harness/booking-flow.ts'
import { eventNames, eventsOf } from '../harness/outbox-events.ts'
import { type Booking, PATIENT, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { hotelOf } from '../harness/stays.ts'

let booking: Booking
let hotel: Awaited<ReturnType<typeof hotelOf>>
beforeAll(async () => {
  booking = await startWithSandbox({ overrides: { upstreamMs: PATIENT } })
  hotel = await hotelOf(booking, SLUG)
  const paymentMethods = ['cash_on_arrival'] as const
  await booking.platform.configure(hotel.tenantId, {
    paymentMethods: [...paymentMethods],
    paymentEnabled: true,
  })
  await sampleSteps(1)
})
afterAll(() => booking[Symbol.asyncDispose]())

const STEP = 'flow.step_completed.v1'

/** As an operator changes the flags; every process reads them again soon. */
async function sampleSteps(rate: number): Promise<void> {
  const { ctx } = booking.service
  const sampleRates = { [`melmastoon.bff.tenant.${STEP}`]: rate }
  await ctx.cacheRedis.set('bff-tenant-flags', JSON.stringify({ sampleRates }))
  await eventually(() => expect(ctx.sampleRates()).toEqual(sampleRates))
}

const names = async (key: string) => eventNames(await eventsOf(booking, key))

/** A booking from the hold to the confirmation; `between` happens after the hold. */
async function book(between: (guest: Awaited<ReturnType<Booking['site']['guest']>>) => unknown) {
  const guest = await booking.site.guest()
  const draft = await draftOf(guest, hotel)
  const before = await names(draft.draftId)
  await between(guest)
  const { state } = await payCash(guest, await withDetails(guest, draft))
  expect(state).toBe('confirmed')
  return { before, after: (await names(draft.draftId)).slice(before.length) }
}

describe('D13 the consent of a guest', () => {
  it('with it, every step of a booking is reported (control)', async () => {
    const { before, after } = await book(() => undefined)
    expect(before).toEqual(['booking.draft.created.v1', STEP])
    expect(after).toContain(STEP)
    expect(after).toContain('booking.draft.converted.v1')
  })

  it('withdrawn after the hold: no more steps, and all regulated events', async () => {
    const { before, after } = await book((guest) =>
      guest.post('/session/consent', { telemetry: false }),
    )
    expect(before).toContain(STEP)
    expect(after).toEqual(['booking.draft.converted.v1'])
  })

  it('given after the hold: the following steps are reported', async () => {
    const guest = await booking.site.guest()
    await guest.post('/session/consent', { telemetry: false })
    const draft = await draftOf(guest, hotel)
    expect(await names(draft.draftId)).toEqual(['booking.draft.created.v1'])
    await guest.post('/session/consent', { telemetry: true })
    await withDetails(guest, draft)
    expect(await names(draft.draftId)).toEqual(['booking.draft.created.v1', STEP])
  })

  it('does not concern the drafts of other sessions', async () => {
    const other = await booking.site.guest()
    const draft = await draftOf(other, hotel)
    await (await booking.site.guest()).post('/session/consent', { telemetry: false })
    await withDetails(other, draft)
    expect((await names(draft.draftId)).filter((name) => name === STEP)).toHaveLength(2)
  })
})

it('T14 flags change the sample of steps without a restart; records are never sampled', async () => {
  await sampleSteps(0)
  const guest = await booking.site.guest()
  const draft = await draftOf(guest, hotel)
  expect(await names(draft.draftId)).toEqual(['booking.draft.created.v1'])
  await sampleSteps(1)
  await withDetails(guest, draft)
  const [, step] = await eventsOf(booking, draft.draftId)
  expect(step?.envelope['samplingRate']).toBe(1)
})

it('T14 a repeated load of the site is reported once per session', async () => {
  const guest = await booking.site.guest()
  for (const _ of [1, 2, 3]) await guest.get('/bootstrap')
  const served = (await names(guest.sessionId)).filter((name) => name.startsWith('bootstrap'))
  expect(served).toEqual(['bootstrap.served.v1'])
})
