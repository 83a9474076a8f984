import { createDeadline } from '@melmastoon/chassis/clock'
import { idToUuid, newId, type StayDates } from '@melmastoon/domain'
import type { Browser, TestResponse } from '@melmastoon/testkit'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import {
  guestReservationContract,
  type Reservation,
} from '@melmastoon/upstream-contracts/reservation'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import type { QuoteVM } from '../../src/quotes/quote-view.ts'
import { upstreamClient } from './platform.ts'
import type { Booking } from './start-booking.ts'
import { stayAt } from './stays.ts'

export const OCCUPANCY = { adults: 2, children: 0, rooms: 1 }

export const GUEST = {
  fullName: 'Zarghuna Anaa',
  email: 'zarghuna@example.com',
  phone: '+93 70 123 4567',
  termsAccepted: true,
}

export type RoomTypeId = PropertyDetail['roomTypes'][number]['roomTypeId']

/** A room type for two. */
export function roomTypeOf({ roomTypes }: PropertyDetail, index = 0): RoomTypeId {
  const fitting = roomTypes.filter(({ adultsMax }) => adultsMax >= OCCUPANCY.adults)
  const room = fitting[index]
  if (room === undefined) throw new Error('no room for two')
  return room.roomTypeId
}

export interface QuoteOptions {
  readonly stay?: StayDates
  readonly roomTypeId?: RoomTypeId
  readonly ratePlanCode?: string
  readonly promoCode?: string
}

let day = 2
/** The hotel sells a year ahead. */
const DAYS_MAX = 360

/** Nights that few other tests of a file use, so that rooms are not sold out. */
export function freshStay(hotel: PropertyDetail): StayDates {
  day = day + 2 > DAYS_MAX ? 3 : day + 2
  return stayAt(hotel, { days: day })
}

export async function quoteOf(
  guest: Browser,
  hotel: PropertyDetail,
  options: QuoteOptions = {},
): Promise<QuoteVM> {
  const { stay = freshStay(hotel), roomTypeId = roomTypeOf(hotel), ...more } = options
  const rooms = [{ roomTypeId, quantity: 1 }]
  const json = { propertyId: hotel.propertyId, stay, occupancy: OCCUPANCY, rooms, ...more }
  const response = await guest.post('/quote', json)
  return expectView<QuoteVM>(response, 201)
}

export interface HoldOptions {
  readonly key?: string
  readonly draftId?: string
  readonly handoffArrivalId?: string
}

export function hold(
  guest: Browser,
  { quoteId, digest }: QuoteVM,
  { key = newId('req'), ...more }: HoldOptions = {},
): Promise<TestResponse> {
  return guest.post('/hold', { quoteId, digest, ...more }, { key })
}

/** A draft with rooms on hold. */
export async function draftOf(
  guest: Browser,
  hotel: PropertyDetail,
  options: QuoteOptions = {},
): Promise<DraftVM> {
  const quote = await quoteOf(guest, hotel, options)
  return expectView<DraftVM>(await hold(guest, quote), 201)
}

export async function withDetails(guest: Browser, draft: DraftVM): Promise<DraftVM> {
  const json = { version: draft.version, guest: GUEST }
  return expectView<DraftVM>(await guest.patch(`/draft/${draft.draftId}`, json), 200)
}

/** Chooses cash on arrival and confirms. */
export async function payCash(guest: Browser, { draftId }: DraftVM): Promise<DraftVM> {
  const path = `/draft/${draftId}`
  const payment = await guest.post(`${path}/payment-intent`, { method: 'cash_on_arrival' })
  expectView<DraftVM>(payment, 201)
  await guest.post(`${path}/confirm`)
  return expectView<DraftVM>(await guest.get(path), 200)
}

export function expectView<T>({ status, text, body }: TestResponse, expected: number): T {
  if (status !== expected) throw new Error(`expected ${expected}, got ${status}: ${text}`)
  return body as T
}

/** What the platform knows about reservations of a tenant. */
export function createDesk({ sandbox, environment }: Booking, { tenantId }: PropertyDetail) {
  const client = upstreamClient(guestReservationContract, sandbox.url)
  const call = () => ({ deadline: createDeadline(10_000), tenantId })
  const idOf = async (draftId: string): Promise<Reservation['reservationId']> => {
    const [row] = await environment.query<{ reservation_id: Reservation['reservationId'] }>(
      `select reservation_id from ${environment.schema}.booking_draft where id = $1`,
      [idToUuid(draftId as DraftVM['draftId'])],
    )
    if (row === undefined) throw new Error(`no draft ${draftId}`)
    return row.reservation_id
  }
  const read = (reservationId: Reservation['reservationId']) =>
    client.get({ params: { reservationId } }, call())
  return {
    idOf,
    read,
    /** The present reservation of a draft. */
    reservationOf: async (draftId: string) => read(await idOf(draftId)),
    /** Expires the hold of a draft now, for the platform and for this service. */
    async expireHold(draftId: string): Promise<void> {
      const reservationId = await idOf(draftId)
      const path = `/admin/api/tenants/${tenantId}/reservations/${reservationId}/expire-hold`
      const { status, text } = await sandbox.post(path, { json: {}, key: newId('req') })
      if (status !== 200) throw new Error(`expire-hold: ${status} ${text}`)
      await environment.query(
        `update ${environment.schema}.booking_draft
         set hold_expires_at = clock_timestamp() - interval '1 second' where id = $1`,
        [idToUuid(draftId as DraftVM['draftId'])],
      )
    },
  }
}

/** A draft in `paying` with one attempt, as the payment routes leave it. */
export async function insertPayment(
  { environment }: Pick<Booking, 'environment'>,
  draftId: string,
  { status = 'open', intentStatus = 'requires_action' } = {},
): Promise<void> {
  const { schema } = environment
  const id = idToUuid(draftId as DraftVM['draftId'])
  await environment.query(
    `update ${schema}.booking_draft set state = 'paying', version = version + 1 where id = $1`,
    [id],
  )
  await environment.query(
    `insert into ${schema}.booking_fulfilment
       (tenant_id, draft_id, reservation_id, consented_digest, amount_micro, currency)
     select tenant_id, id, reservation_id, terms->>'digest',
       (terms->'total'->>'amountMicro')::bigint, terms->'total'->>'currency'
     from ${schema}.booking_draft where id = $1 on conflict do nothing`,
    [id],
  )
  await environment.query(
    `insert into ${schema}.booking_payment_attempt (tenant_id, draft_id, no, key, cancel_key,
       refund_key, method, capture_mode, digest, amount_micro, currency, status, intent_status)
     select tenant_id, id, 1, 'key', 'cancel', 'refund', 'card', 'manual', terms->>'digest',
       (terms->'total'->>'amountMicro')::bigint, terms->'total'->>'currency', $2, $3
     from ${schema}.booking_draft where id = $1`,
    [id, status, intentStatus],
  )
}
