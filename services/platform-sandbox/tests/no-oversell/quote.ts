import { idToUuid, newId, type QuoteId, type StayDates, toIsoDateTime } from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { type TestEnvironment, type TestResponse } from '../start-sandbox.ts'
import { type Hotel, post, readClock } from './hotel.ts'

export const DIGEST = `sha256:${'5'.repeat(64)}`
export const TOTAL = { amountMicro: '84000000', currency: 'USD' } as const

export interface QuoteOptions {
  readonly stay?: StayDates
  readonly rooms?: number
  /** Its validity; negative: already expired. */
  readonly minutes?: number
  readonly digest?: string
  readonly total?: Quote['total']
}

/** A quote as the pricing module stores it, without rates. */
export async function giveQuote(
  environment: TestEnvironment,
  hotel: Hotel,
  options: QuoteOptions = {},
) {
  const { stay = { checkIn: hotel.day(21), checkOut: hotel.day(22) }, minutes = 30 } = options
  const { digest = DIGEST, total = TOTAL, rooms: quantity = 1 } = options
  const quoteId = newId('qte')
  const createdMs = (await readClock(environment)).getTime()
  const [roomTypeId = newId('rmt')] = hotel.roomTypeIds
  const quote: Quote = {
    quoteId,
    tenantId: hotel.tenantId,
    propertyId: hotel.propertyId,
    ratePlanId: newId('rate'),
    ratePlanCode: 'BAR',
    ratePlanVersion: 1,
    stay,
    occupancy: { adults: 2, children: 0, rooms: quantity },
    rooms: [{ roomTypeId, quantity }],
    lines: [],
    total,
    cancellation: { kind: 'free', freeUntilHours: 24, penaltyBasisPoints: 0 },
    digest,
    createdAt: toIsoDateTime(new Date(createdMs)),
    expiresAt: toIsoDateTime(new Date(createdMs + minutes * 60_000)),
  }
  await environment.query(
    `insert into sandbox.pricing_quote (tenant_id, quote_id, property_id, digest, total_micro,
       currency, body, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      idToUuid(hotel.tenantId),
      idToUuid(quoteId),
      idToUuid(hotel.propertyId),
      digest,
      total.amountMicro,
      total.currency,
      quote,
      quote.createdAt,
      quote.expiresAt,
    ],
  )
  return quoteId
}

export interface ReservationRequest {
  readonly quoteId: QuoteId
  readonly draftId?: string
  readonly session?: string
  readonly key?: string
  readonly expectedDigest?: string
}

export function holdReservation(
  url: string,
  hotel: Hotel,
  request: ReservationRequest,
): Promise<TestResponse> {
  const { key, quoteId, draftId = newId('bdr'), session, expectedDigest } = request
  return post(url, hotel, '/reservations/holds', {
    key,
    json: {
      quoteId,
      draftId,
      guestLocale: 'ps-AF',
      ...(session !== undefined && { session }),
      ...(expectedDigest !== undefined && { expectedDigest }),
    },
  })
}

export const GUEST = {
  fullName: 'Zarmina Canary-Yusufzai',
  email: 'zarmina.canary@example.org',
  phone: '+93700123456',
  specialRequests: 'a canary in the room',
}

export interface ConfirmOptions {
  readonly key?: string
  readonly digest?: string
}

export function confirmReservation(
  url: string,
  hotel: Hotel,
  reservationId: unknown,
  { key, digest = DIGEST }: ConfirmOptions = {},
): Promise<TestResponse> {
  return post(url, hotel, `/reservations/${String(reservationId)}/confirm`, {
    key,
    json: { guest: GUEST, payment: { method: 'cash_on_arrival' }, expectedDigest: digest },
  })
}
