import {
  idToUuid,
  newId,
  parseId,
  type ReservationId,
  type RoomId,
  type StayDates,
} from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { billingContract } from '@melmastoon/upstream-contracts/billing'
import { housekeepingContract } from '@melmastoon/upstream-contracts/housekeeping'
import { reservationContract } from '@melmastoon/upstream-contracts/reservation'
import { expect } from 'vitest'
import { type Hotel, openHotel } from '../no-oversell/hotel.ts'
import { confirmReservation, giveQuote, holdReservation } from '../no-oversell/quote.ts'
import { clientFor, type RunningSandbox, type TestEnvironment } from '../start-sandbox.ts'

/** A hotel with a house of the property module, whose rooms have the numbers 1, 2, … */
export async function openHouse(
  environment: TestEnvironment,
  rooms: number,
  tenantId = newId('tnt'),
): Promise<Hotel> {
  // Photos are numbered in the last character.
  const propertyId = parseId('ppt', `${newId('ppt').slice(0, -1)}0`)
  const hotel = await openHotel(environment, { rooms: [rooms], tenantId, propertyId })
  const { roomTypeIds, roomIds, timeZone } = hotel
  const [property, roomType] = [idToUuid(propertyId), idToUuid(roomTypeIds[0] ?? newId('rmt'))]
  const name = { default: 'House', localized: { 'ps-AF': 'کور', 'fa-AF': 'خانه' } }
  const text = JSON.stringify(name)
  const place = { key: 'kabul', name }
  const address = {
    line: 'Street 1',
    neighbourhood: 'Centre',
    city: place,
    region: place,
    country: 'AF',
  }
  const policies = { cancellation: { kind: 'free' } }
  await environment.query(
    `insert into sandbox.property_house (property_id, tenant_id, slug, name, description, address,
       lat, lng, time_zone, property_type, amenity_codes, sharia_compliant, opened_on, policies,
       scenery, photo_count, room_count)
     values ($1, $2, $3, $4, $4, $7, 34, 69, $5, 'hotel', '{}', false, '2020-01-01', $8,
       'city', 1, $6)`,
    [property, idToUuid(tenantId), property, text, timeZone, rooms, address, policies],
  )
  await environment.query(
    `insert into sandbox.property_room_type (room_type_id, property_id, position, kind, name,
       adults_max, children_max, size_sqm, beds, room_count)
     values ($1, $2, 1, 'king', $3, 2, 0, 20, '[]', $4)`,
    [roomType, property, text, rooms],
  )
  await environment.query(
    `insert into sandbox.property_room (room_id, property_id, room_type_id, number, floor)
     select id, $2, $3, n::text, 1 from unnest($1::uuid[]) with ordinality as r (id, n)`,
    [roomIds.map(idToUuid), property, roomType],
  )
  return hotel
}

/** As the booking service does it: a quote, a hold, a confirmation. */
export async function book(
  environment: TestEnvironment,
  { url }: Pick<RunningSandbox, 'url'>,
  { hotel, stay, rooms = 1 }: { hotel: Hotel; stay: StayDates; rooms?: number },
): Promise<ReservationId> {
  const quoteId = await giveQuote(environment, hotel, { stay, rooms })
  const { body } = await holdReservation(url, hotel, { quoteId })
  const reservationId = body['reservationId'] as ReservationId
  const confirmed = await confirmReservation(url, hotel, reservationId)
  if (confirmed.status !== 200) throw new Error(confirmed.text)
  return reservationId
}

export const staff = () => ({
  actor: { operatorId: newId('opr'), deviceId: newId('dev') },
  causationId: newId('int'),
})

export const desk = ({ url }: Pick<RunningSandbox, 'url'>, scenario?: string) => {
  const options = scenario === undefined ? {} : { scenario }
  return {
    reservation: clientFor(reservationContract, url, options),
    billing: clientFor(billingContract, url, options),
  }
}

/** Waits until housekeeping knows that guests have left the room. */
export async function dirtyRoom(
  { url }: Pick<RunningSandbox, 'url'>,
  hotel: Hotel,
  roomId: RoomId,
) {
  const housekeeping = clientFor(housekeepingContract, url)
  const params = { roomId }
  const room = await eventually(async () => {
    const found = await housekeeping.getRoom({ params }, hotel)
    expect(found).toMatchObject({ condition: 'dirty', occupancy: expect.not.stringMatching('occ') })
    return found
  })
  return { params, room, housekeeping }
}

export async function cleanRoom(
  sandbox: Pick<RunningSandbox, 'url'>,
  hotel: Hotel,
  roomId: RoomId,
): Promise<void> {
  const { params, housekeeping } = await dirtyRoom(sandbox, hotel, roomId)
  const body = { condition: 'clean' as const, ...staff() }
  const call = { tenantId: hotel.tenantId, idempotencyKey: newId('req') }
  await housekeeping.setRoomCondition({ params, body }, call)
}
