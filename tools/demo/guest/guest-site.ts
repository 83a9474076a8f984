import { setTimeout as delay } from 'node:timers/promises'
import type { DraftId } from '@melmastoon/domain'
import type {
  components,
  paths,
} from '../../../services/bff-tenant-booking-service/contracts/openapi.d.ts'
import { DemoFailure, expectThat } from '../shared/demo-failure.ts'
import { openBrowser } from '../traveller/open-client.ts'
import { type Demo, showAmount } from './demo.ts'
import type { BookingLink } from './find-hotel.ts'

const SITE = '/bff/tenant-booking/v1/{tenantSlug}'
const DRAFT = `${SITE}/draft/{draftId}` as const

export type Draft = components['schemas']['Draft']
export type Method = 'card' | 'mobile_money' | 'cash_on_arrival'

const GUEST = {
  fullName: 'زرمینه یوسفزی',
  email: 'zarmina@example.org',
  phone: '070 123 4567',
  termsAccepted: true,
}
const SETTLED_WITHIN_MS = 60_000
const POLL_MS = 500

/** One guest with a session of their own at the site of a hotel, by path on the shared host. */
export class GuestSite {
  readonly #demo: Demo
  readonly #link: BookingLink
  readonly #api

  constructor(demo: Demo, link: BookingLink) {
    this.#demo = demo
    this.#link = link
    this.#api = openBrowser<paths>(demo.bookingUrl, demo.watch)
  }

  /** With a token: the guest arrives with the handoff, and the choice is prefilled. */
  async open(token?: string): Promise<void> {
    const { say } = this.#demo
    const query = token === undefined ? {} : { h: token }
    const { data, response } = await this.#api.GET(`${SITE}/bootstrap`, {
      params: { path: this.#path, query },
    })
    if (token === undefined) return
    say.step(`Arrive at the site of ${data.brandName}`)
    say.detail(
      `cache ${response.headers.get('x-cache')}, steps: ${data.flowConfig.steps.join(' → ')}`,
    )
    say.detail(`pay by ${data.paymentMethods.map(({ method }) => method).join(', ')}`)
    const { handoffPayload } = data
    expectThat(handoffPayload !== null, 'the handoff was not consumed')
    const { stay, occupancy } = handoffPayload
    say.detail(`prefilled: ${stay.checkIn} to ${stay.checkOut}, ${occupancy.adults} adults`)
  }

  /** Availability, quote and hold. */
  async hold(): Promise<Draft> {
    const { say } = this.#demo
    const { propertyId, stay } = this.#link
    const path = this.#path
    const query = { propertyId, ...stay, adults: 2 }
    const { data } = await this.#api.GET(`${SITE}/availability`, { params: { path, query } })
    const bookable = data.rooms.filter((each) => each.bookable)
    const room = bookable.find(({ left }) => left === undefined) ?? bookable[0]
    expectThat(room !== undefined, 'no room is available: run the demo again for other nights')
    say.step(`Read the rooms: ${data.rooms.length}, of which the guest chooses ${room.name}`)
    const quote = await this.#api.POST(`${SITE}/quote`, {
      params: { path },
      body: {
        propertyId,
        stay,
        occupancy: { adults: 2, children: 0, rooms: 1 },
        rooms: [{ roomTypeId: room.roomTypeId, quantity: 1 }],
      },
    })
    const { quoteId, digest, total, lines } = quote.data
    say.step(`Quote: ${showAmount(total)} with ${lines.length} lines, ${quote.data.ratePlanName}`)
    const held = await this.#api.POST(`${SITE}/hold`, {
      params: { path },
      body: { quoteId, digest },
    })
    say.step(`Hold the room for ${held.data.hold.secondsLeft} s: ${held.data.draftId}`)
    return held.data
  }

  async extend(draft: Draft): Promise<Draft> {
    const { data } = await this.#api.POST(`${DRAFT}/extend`, {
      params: { path: this.#pathOf(draft) },
      body: {},
    })
    const { extensionsLeft, priceCheck } = data
    this.#demo.say.step(
      `Extend the hold: ${extensionsLeft} times left, price ${priceCheck.outcome}`,
    )
    return data.draft
  }

  async enterDetails({ draftId, version }: Draft): Promise<Draft> {
    const { data } = await this.#api.PATCH(DRAFT, {
      params: { path: this.#pathOf({ draftId }) },
      body: { version, guest: GUEST },
    })
    this.#demo.say.step(
      `Enter the details of the guest: ${data.guest?.fullName}, ${data.guest?.phone}`,
    )
    return data
  }

  async pay(draft: Draft, method: Method, phone?: string): Promise<Draft> {
    const { data } = await this.#api.POST(`${DRAFT}/payment-intent`, {
      params: { path: this.#pathOf(draft) },
      body: { method, ...(phone !== undefined && { phone }) },
    })
    this.#demo.say.step(`Choose to pay by ${method}: ${data.payment?.intentStatus}`)
    return data
  }

  async returnWith(draft: Draft, address: URL): Promise<Draft> {
    const { data } = await this.#api.POST(`${DRAFT}/return`, {
      params: { path: this.#pathOf(draft) },
      body: {},
    })
    const status = address.searchParams.get('redirect_status')
    this.#demo.say.step(`Return to the site (${status}): ${data.state}, ${data.messageKey}`)
    return data
  }

  async confirm(draft: Draft): Promise<Draft> {
    const { data, response } = await this.#api.POST(`${DRAFT}/confirm`, {
      params: { path: this.#pathOf(draft) },
      body: {},
    })
    this.#demo.say.step(`Confirm: ${response.status}, ${data.state}, ${data.messageKey}`)
    return data
  }

  /** The page of the guest reads the booking until it has ended. */
  async awaitEnd(draft: Draft): Promise<Draft> {
    const { say } = this.#demo
    const startedMs = performance.now()
    while (performance.now() - startedMs < SETTLED_WITHIN_MS) {
      const { data } = await this.#api.GET(DRAFT, { params: { path: this.#pathOf(draft) } })
      const isOver = ['confirmed', 'failed', 'abandoned'].includes(data.state)
      if (isOver) {
        const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
        say.step(`The booking has ended after ${seconds} s: ${data.state}, ${data.messageKey}`)
        return data
      }
      await delay(POLL_MS)
    }
    throw new DemoFailure(`${draft.draftId} was not settled within a minute`)
  }

  /** Confirmation and calendar file of a confirmed booking. */
  async readConfirmation({ outcome }: Draft): Promise<void> {
    const { say } = this.#demo
    const reservationId = outcome?.reservationId ?? ''
    const path = { ...this.#path, reservationId }
    const { data } = await this.#api.GET(`${SITE}/confirmation/{reservationId}`, {
      params: { path },
    })
    say.step(`Read the confirmation: code ${data.code}, ${data.stay.nights} nights`)
    say.detail(
      `${data.property?.name}; payment ${data.payment.status}, ${showAmount(data.price.total)}`,
    )
    const file = await this.#api.GET(`${SITE}/confirmation/{reservationId}/calendar.ics`, {
      params: { path },
      parseAs: 'text',
    })
    const text = String(file.data)
    expectThat(text.startsWith('BEGIN:VCALENDAR'), 'the calendar file is not an iCalendar file')
    say.step(`Download the calendar file: ${text.length} characters`)
  }

  get #path() {
    return { tenantSlug: this.#link.slug }
  }

  #pathOf({ draftId }: { readonly draftId: DraftId | string }) {
    return { ...this.#path, draftId }
  }
}
