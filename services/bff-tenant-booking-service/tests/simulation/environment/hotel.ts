import {
  addDays,
  type BookingSessionId,
  isProblem,
  newId,
  type TenantId,
  todayIn,
} from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import type { BookingActor } from '../../../src/sessions/booking-actor.ts'
import type { BookingSession } from '../../../src/sessions/booking-session.ts'
import type { Site } from '../../../src/site/site.ts'
import type { SimulatedUpstream } from '../simulated-upstream.ts'

export const NIGHT_MICRO = 50_000_000n
const TIME_ZONE = 'Asia/Kabul'

/** The one hotel of a history: a new tenant with few rooms of one type. */
export function openHotel(
  { tenants, rooms, pricing }: SimulatedUpstream,
  { capacity, now }: { readonly capacity: number; readonly now: Date },
) {
  const [tenantId, propertyId, roomTypeId] = [newId('tnt'), newId('ppt'), newId('rmt')] as const
  const paymentMethods = ['card', 'mobile_money', 'cash_on_arrival'] as const
  tenants.add({ tenantId, country: 'AF', paymentMethods, isSuspended: false })
  rooms.addType({ tenantId, propertyId, roomTypeId, timeZone: TIME_ZONE, capacity })
  pricing.addHotel({ tenantId, propertyId, currency: 'USD', nightMicro: NIGHT_MICRO })
  const checkIn = addDays(todayIn(TIME_ZONE, now), 7)
  const wanted: InputOf<typeof pricingContract.operations.createQuote>['body'] = {
    propertyId,
    rooms: [{ roomTypeId, quantity: 1 }],
    stay: { checkIn, checkOut: addDays(checkIn, 1) },
    occupancy: { adults: 1, children: 0, rooms: 1 },
  }
  return {
    tenantId,
    propertyId,
    site: siteOf(tenantId),
    client: CLIENT,
    session: (id: BookingSessionId) => sessionOf(tenantId, id),
    /** Null: there is no rate. */
    quote() {
      try {
        return pricing.create(tenantId, { body: wanted })
      } catch (error) {
        if (isProblem(error)) return null
        throw error
      }
    },
  }
}

export type Hotel = ReturnType<typeof openHotel>

function siteOf(tenantId: TenantId): Site {
  return {
    tenantId,
    slug: 'hotel',
    address: 'subdomain',
    isSuspended: false,
    origin: 'https://hotel.example',
    brandName: 'Hotel',
    timeZone: TIME_ZONE,
    locales: ['en'],
    defaultLocale: 'en',
    currencies: ['USD'],
    primaryCurrency: 'USD',
    configVersion: '1',
    paymentEnabled: true,
    telemetryConsent: 'opt-out',
  }
}

const CLIENT = {
  address: '192.0.2.1',
  userAgent: 'browser',
  acceptLanguage: undefined,
  currency: undefined,
  country: undefined,
  campaign: { source: undefined, medium: undefined, campaign: undefined },
  declinesTelemetry: true,
} as BookingActor['client']

const HASH = `sha256:${'0'.repeat(64)}`

/** Without consent to telemetry: its events are not part of a booking. */
function sessionOf(tenantId: TenantId, id: BookingSessionId): BookingSession {
  const at = '2026-03-21T09:00:00.000Z' as BookingSession['data']['createdAt']
  return {
    id,
    version: 0,
    data: {
      tenantId,
      createdAt: at,
      lastSeenAt: at,
      localePreference: 'en',
      displayCurrency: 'USD',
      marketingAttribution: null,
      loyaltyContext: null,
      activeBookingDraftId: null,
      consentFlags: { telemetry: false, functional: true },
      fingerprintHash: HASH,
      ipHash: HASH,
      deviceClass: 'browser-desktop',
    },
  }
}
