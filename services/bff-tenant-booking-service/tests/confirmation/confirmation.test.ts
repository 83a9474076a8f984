import { newId } from '@melmastoon/domain'
import { send, type TestResponse } from '@melmastoon/testkit'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { ConfirmationView } from '../../src/confirmation/confirmation-view.ts'
import type { GuestDetails } from '../../src/guests/guest-details.ts'
import { draftOf, expectView } from '../harness/booking-flow.ts'
import { sessionIdOf } from '../harness/site.ts'
import { type Booking, OTHER_SLUG, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { hotelOf } from '../harness/stays.ts'
import { type BookedStay, createBookedStays } from './booked-stays.ts'

const NOT_FOUND = 'MELMASTOON.BFF.TENANT.CONFIRMATION_NOT_FOUND'

const guestNamed = (fullName: string): GuestDetails => ({
  fullName,
  email: `${fullName.split(' ')[0]?.toLowerCase()}@example.com`,
  phone: '+93700123456',
  terms: { version: '1', acceptedAt: '2026-11-16T09:00:00.000Z' },
})

let booking: Booking
let stays: ReturnType<typeof createBookedStays>

beforeAll(async () => {
  booking = await startWithSandbox()
  stays = createBookedStays(booking)
})
afterAll(() => booking[Symbol.asyncDispose]())

const pathOf = ({ reservation: { reservationId } }: BookedStay) => `/confirmation/${reservationId}`
const linkOf = (stay: BookedStay) => `${pathOf(stay)}?t=${stays.tokenOf(stay)}`
const isView = Compile(ConfirmationView)
const outcomeOf = ({ status, body }: TestResponse) => [status, body['code']]

/** A response that does not match the documented schema fails the test. */
function viewOf({ body }: TestResponse): ConfirmationView {
  const view: unknown = body
  if (isView.Check(view)) return view
  return expect.fail(`not a confirmation: ${JSON.stringify(isView.Errors(view).slice(0, 3))}`)
}

/** A guest with a session and a booked stay. */
async function bookAs(fullName: string, method: BookedStay['method'] = 'cash_on_arrival') {
  const stay = await stays.book(SLUG, { method })
  const browser = booking.site.browser()
  // The first calls of a cold process may exceed the time limits of upstreams.
  await expect.poll(async () => (await browser.get(linkOf(stay))).status).toBe(200)
  await stays.writeDraft(stay, { sessionId: sessionIdOf(browser), guest: guestNamed(fullName) })
  return { stay, browser }
}

describe('GET /confirmation/{reservationId}', () => {
  it('T9 shows the own session its booking with all sections', async () => {
    const { stay, browser } = await bookAs('Zarghuna Ana')
    const response = await browser.get(pathOf(stay))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(viewOf(response)).toMatchObject({
      reservationId: stay.reservation.reservationId,
      code: stay.reservation.code,
      status: 'confirmed',
      stay: { nights: 2, timeZone: 'Asia/Dubai', checkIn: { time: expect.stringMatching(/:/) } },
      property: { name: expect.any(String), photo: { url: expect.any(String) } },
      rooms: [{ name: expect.any(String), rooms: 1 }],
      occupancy: { adults: 1 },
      price: { total: { currency: stay.quote.total.currency }, lines: expect.any(Array) },
      payment: { method: 'cash_on_arrival', status: 'pay_at_hotel' },
      cancellation: { kind: stay.quote.cancellation.kind },
      guest: { isMasked: false, fullName: 'Zarghuna Ana', email: 'zarghuna@example.com' },
      degraded: false,
    })
  })

  it('T9 opens with a signed link on another device, with masked details', async () => {
    const { stay } = await bookAs('Malalai Khan', 'card')
    const byQuery = await booking.site.browser('host').get(linkOf(stay))
    const headers = { 'x-confirmation-token': stays.tokenOf(stay) }
    const byHeader = await booking.site.browser().get(pathOf(stay), { headers })
    for (const response of [byQuery, byHeader]) {
      expect(viewOf(response)).toMatchObject({
        payment: { method: 'card', status: 'paid', dueAtHotel: null },
        guest: { isMasked: true, fullName: 'M. K.', email: 'm•••@e•••.com', phone: '+9•••56' },
      })
      expect(response.text).not.toMatch(/malalai|khan@|93700123456/i)
    }
  })

  it.each(['path', 'host'] as const)(
    'T9 has links that open, for a guest by %s',
    async (address) => {
      const { stay } = await bookAs('Zarghuna Ana')
      const view = viewOf(await booking.site.browser(address).get(linkOf(stay)))
      const { confirmation, calendarFile, ...others } = view.links
      const open = (link: string) => {
        const { host, pathname, search } = new URL(link)
        return send(booking.service.url, 'GET', `${pathname}${search}`, { headers: { host } })
      }
      const calendar = await open(calendarFile)
      expect([calendar.status, calendar.headers.get('content-type')]).toEqual([
        200,
        'text/calendar; charset=utf-8',
      ])
      // A page of the web application, which reads it from the API with the same token.
      const page = new URL(confirmation)
      const data = new URL(calendarFile.replace('/calendar.ics', ''))
      expect(data.pathname.endsWith(page.pathname)).toBe(true)
      expect(data.search).toBe(page.search)
      expect(viewOf(await open(data.href)).code).toBe(stay.reservation.code)
      expect(Object.keys(others)).toEqual(['googleCalendar'])
      expect(new URL(others.googleCalendar).host).toBe('calendar.google.com')
    },
  )

  it('T9 is not found without proof, like an unknown id', async () => {
    const { stay, browser: owner } = await bookAs('Zarghuna Ana')
    const { browser: stranger } = await bookAs('Other Guest')
    const unknown = await stranger.get(`/confirmation/${newId('rsv')}`)
    const token = stays.tokenOf(stay)
    const forged = `${token.slice(0, -6)}AAAAAA`
    const rejected = [
      await stranger.get(pathOf(stay)),
      await booking.site.browser().get(pathOf(stay)),
      await stranger.get(`${pathOf(stay)}?t=${forged}`),
      await stranger.get(`${pathOf(stay)}?t=`),
      await stranger.get(`${pathOf(stay)}?t=${'x'.repeat(2_000)}`),
      await stranger.get(`/confirmation/${newId('rsv')}?t=${token}`),
      await owner.get(`/confirmation/${newId('rsv')}`),
      await owner.get('/confirmation/rsv_1'),
      await stranger.get(`${pathOf(stay)}/calendar.ics`),
    ]
    for (const response of rejected) {
      expect(outcomeOf(response)).toEqual([404, NOT_FOUND])
      expect(response.text).not.toContain(token)
      expect(Object.keys(response.body).sort()).toEqual(Object.keys(unknown.body).sort())
    }
    expect((await owner.get(pathOf(stay))).status).toBe(200)
  })

  it('F6 is not found while the draft is not confirmed, although the reservation is', async () => {
    const { stay, browser } = await bookAs('Zarghuna Ana')
    const { environment } = booking
    const move = (state: string, finalizedAt: string) =>
      environment.query(
        `update ${environment.schema}.booking_draft set state = $2, finalized_at = ${finalizedAt}
         where reservation_id = $1`,
        [stay.reservation.reservationId, state],
      )
    await move('confirming', 'null')
    for (const path of [pathOf(stay), linkOf(stay)]) {
      expect(outcomeOf(await browser.get(path))).toEqual([404, NOT_FOUND])
    }
    await move('confirmed', 'clock_timestamp()')
    expect((await browser.get(pathOf(stay))).status).toBe(200)
  })

  it('is not found at another tenant, with its session and with its link', async () => {
    const { stay, browser } = await bookAs('Zarghuna Ana')
    const other = await stays.book(OTHER_SLUG)
    const elsewhere = booking.otherSite.browser()
    await elsewhere.get(linkOf(other))
    for (const [name, value] of browser.cookies) {
      elsewhere.cookies.set(name.replace(SLUG, OTHER_SLUG), value)
    }
    expect(outcomeOf(await elsewhere.get(pathOf(stay)))).toEqual([404, NOT_FOUND])
    expect(outcomeOf(await elsewhere.get(linkOf(stay)))).toEqual([404, NOT_FOUND])
    expect(outcomeOf(await browser.get(linkOf(other)))).toEqual([404, NOT_FOUND])
  })

  it('T9 shows a cancelled stay as cancelled', async () => {
    const stay = await stays.book(SLUG)
    await stays.cancel(stay)
    const browser = booking.site.browser()
    const view = viewOf(await browser.get(linkOf(stay)))
    expect(view).toMatchObject({ status: 'cancelled', voucher: { title: 'Cancelled booking' } })
    expect(view.cancelledAt).not.toBeNull()
    const calendar = await browser.get(`${pathOf(stay)}/calendar.ics?t=${stays.tokenOf(stay)}`)
    expect(calendar.text).toContain('STATUS:CANCELLED')
  })

  it('T9 has no confirmation of a hold', async () => {
    const { tenantId } = await booking.platform.tenant(SLUG)
    const { quote, held } = await stays.hold(tenantId)
    const stay = { tenantId, quote, reservation: held, method: 'card' } as const
    expect(outcomeOf(await booking.site.browser().get(linkOf(stay)))).toEqual([404, NOT_FOUND])
  })

  it('shows no guest the details of another, also from a warm cache', async () => {
    const { stay, browser } = await bookAs('Canary Person')
    const views = [
      await browser.get(pathOf(stay)),
      await booking.site.browser().get(linkOf(stay)),
      await browser.get(pathOf(stay)),
    ].map(viewOf)
    expect(views.map(({ guest }) => guest?.fullName)).toEqual([
      'Canary Person',
      'C. P.',
      'Canary Person',
    ])
    const { stay: own, browser: another } = await bookAs('Other Guest')
    const page = await another.get(pathOf(own))
    expect(page.text).not.toMatch(/canary/i)
  })

  it('T9 is written in the language of the reader from one cached copy', async () => {
    const { stay } = await bookAs('Zarghuna Ana')
    const headers = { 'accept-language': 'ps' }
    const pashto = viewOf(await booking.site.browser().get(linkOf(stay), { headers }))
    const english = viewOf(await booking.site.browser().get(linkOf(stay)))
    expect(pashto.voucher.direction).toBe('rtl')
    expect(english.voucher.direction).toBe('ltr')
    expect(pashto.sections.property.ageMs).toBeGreaterThan(0)
    expect(pashto.property?.name).not.toBe(english.property?.name)
  })
})

describe('a booking over HTTP', () => {
  it('T7 T9 ends with a confirmation of the details that the guest entered', async () => {
    const hotel = await hotelOf(booking, SLUG)
    const guest = await booking.site.guest()
    const draft = await draftOf(guest, hotel)
    const path = `/draft/${draft.draftId}`
    const details = {
      fullName: ' علی\u200cرضا  حسینی ',
      email: 'Ali.Reza@مثال.ایران',
      phone: '۰۷۰۰ ۱۲۳ ۴۵۶',
      phoneRegion: 'AF',
      termsAccepted: true,
    }
    const invalid = { ...details, phone: '0700', email: 'ali' }
    const rejected = await guest.patch(path, { version: draft.version, guest: invalid })
    expect(outcomeOf(rejected)).toEqual([422, 'MELMASTOON.BFF.TENANT.DETAILS_INVALID'])
    expect(rejected.body['errors']).toMatchObject([
      { pointer: '/guest/email', code: 'email' },
      { pointer: '/guest/phone', code: 'phone' },
    ])
    const saved = await guest.patch(path, { version: draft.version, guest: details })
    expect(saved.status).toBe(200)
    await guest.post(`${path}/payment-intent`, { method: 'cash_on_arrival' })
    const confirm = async () => {
      await guest.post(`${path}/confirm`)
      return expectView<DraftVM>(await guest.get(path), 200).outcome?.confirmationPath ?? ''
    }
    await expect.poll(confirm, { timeout: 10_000 }).toMatch(/^\/confirmation\/rsv_/)
    const view = viewOf(await guest.get(await confirm()))
    expect(view).toMatchObject({
      payment: { status: 'pay_at_hotel' },
      guest: {
        isMasked: false,
        fullName: 'علی\u200cرضا حسینی',
        email: 'Ali.Reza@xn--mgbh0fb.xn--mgba3a4f16a',
        phone: '+93700123456',
      },
    })
    // The guest uses the shared host, where the path names the hotel.
    const origin = `http://localhost:8082/${SLUG}`
    expect(view.links.confirmation.startsWith(`${origin}/confirmation/`)).toBe(true)
    const linked = view.links.confirmation.slice(origin.length)
    const shared = await booking.site.browser('host').get(linked)
    expect(viewOf(shared).guest).toMatchObject({ isMasked: true, phone: '+9•••56' })
  })
})

describe('GET /confirmation/{reservationId} while an upstream is down', () => {
  it.each([
    ['property', 'property', { property: null, stay: { checkIn: { time: null } } }],
    ['pricing', 'price', { cancellation: null, occupancy: null, price: { lines: null } }],
    ['payment', 'payment', { payment: { status: 'pay_at_hotel' } }],
    ['reservation', 'reservation', { status: 'confirmed' }],
  ] as const)('T9 keeps the other sections: %s', async (upstream, section, expected) => {
    // The data of a hotel is cached by other requests: this hotel was not shown before.
    const hotel = upstream === 'property' ? 1 : 0
    const stay = await stays.book(SLUG, { hotel })
    const guest = guestNamed('Zarghuna Ana')
    await stays.writeDraft(stay, { sessionId: newId('tnt_session'), guest })
    const browser = booking.site.browser()
    await browser.get('/policies')
    const response = await stays.without(upstream, () => browser.get(linkOf(stay)))
    expect(response.status).toBe(200)
    expect(viewOf(response)).toMatchObject({
      code: stay.reservation.code,
      ...expected,
      sections: { [section]: { status: 'missing' } },
      degraded: true,
    })
  })

  it('T9 is complete again soon after the upstream has recovered', async () => {
    const stay = await stays.book(SLUG)
    const guest = guestNamed('Zarghuna Ana')
    await stays.writeDraft(stay, { sessionId: newId('tnt_session'), guest })
    const isDegraded = async () => viewOf(await booking.site.browser().get(linkOf(stay))).degraded
    expect(await stays.without('pricing', isDegraded)).toBe(true)
    await expect.poll(isDegraded, { timeout: 10_000 }).toBe(false)
  })

  it('T9 fails without a cached copy or a draft while the reservation service is down', async () => {
    const stay = await stays.book(SLUG)
    const response = await stays.without('reservation', () =>
      booking.site.browser().get(linkOf(stay)),
    )
    expect(response.status).toBeGreaterThanOrEqual(500)
    expect(response.body['code']).toMatch(/^MELMASTOON\.BFF\./)
  })
})

describe('GET /confirmation/{reservationId}/calendar.ics', () => {
  it('T9 is the stay as a calendar file, for the same proof and without a session', async () => {
    const { stay } = await bookAs('Zarghuna Ana')
    const path = `${pathOf(stay)}/calendar.ics?t=${stays.tokenOf(stay)}`
    const program = booking.site.browser('host')
    const { status, headers, text } = await program.get(path, {
      headers: { accept: 'text/calendar' },
    })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(headers.get('content-disposition')).toContain(`${stay.reservation.code}.ics`)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(text).toContain(`UID:${stay.reservation.reservationId}@`)
    expect(text).not.toMatch(/zarghuna|t=1\./i)
    expect(program.cookies.size).toBe(0)
  })
})

describe('confirmation.viewed.v1', () => {
  it('T9 is recorded once per reservation and session, without personal data', async () => {
    const { stay, browser } = await bookAs('Zarghuna Ana')
    await browser.get(pathOf(stay))
    await browser.get(pathOf(stay))
    const other = booking.site.browser()
    await other.get(linkOf(stay))
    const recorded = () =>
      booking.environment.query<{ payload: Record<string, unknown> }>(
        `select payload from ${booking.environment.schema}.outbox_published
          where subject = 'melmastoon.bff.tenant.confirmation.viewed.v1'
            and payload->>'reservationId' = $1 order by payload->>'viewedAt'`,
        [stay.reservation.reservationId],
      )
    await expect.poll(async () => (await recorded()).length).toBe(2)
    const [first] = await recorded()
    expect(first?.payload).toMatchObject({
      sessionId: sessionIdOf(browser),
      locale: 'en',
      cache: 'MISS',
    })
  })
})

describe('the token of a link', () => {
  it('SEC-L01 is in no log and no error, also when the request fails', async () => {
    const { stay } = await bookAs('Canary Person')
    const failing = await stays.book(SLUG)
    await using process = await booking.spawnAnother({ LOG_LEVEL: 'debug' })
    const browser = booking.site.at(process.url).browser()
    const opened = async () => (await browser.get(linkOf(stay))).status
    await expect.poll(opened, { timeout: 10_000 }).toBe(200)
    const token = stays.tokenOf(stay)
    const rejected = [
      await browser.get(`/confirmation/${newId('rsv')}?t=${token}`),
      await browser.get(`${pathOf(stay)}?t=${token}&t=${token}`),
      await browser.send('POST', linkOf(stay)),
      await stays.without('reservation', () => browser.get(linkOf(failing))),
    ]
    expect(rejected.map(({ status }) => status)).toEqual([404, 400, 405, 503])
    // Failed requests are logged.
    await process.waitForLine('/confirmation/:reservationId')
    const shown = [...process.lines, ...rejected.map(({ text }) => text)].join('\n')
    for (const secret of [token, stays.tokenOf(failing)]) expect(shown).not.toContain(secret)
    expect(shown).not.toMatch(/canary/i)
  })
})
