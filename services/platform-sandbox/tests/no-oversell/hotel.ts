import { createDatabase } from '@melmastoon/chassis/db'
import {
  addDays,
  type IsoDate,
  idToUuid,
  newId,
  type PropertyId,
  type RoomId,
  type RoomTypeId,
  type StayDates,
  type TenantId,
  todayIn,
} from '@melmastoon/domain'
import { seedRooms, seedRoomTypes } from '../../src/modules/inventory/seed-sql.ts'
import { findDrift } from '../../src/modules/reservation/drift-sql.ts'
import { send, serviceHeaders, type TestEnvironment, type TestResponse } from '../start-sandbox.ts'

export interface Hotel {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly roomTypeIds: readonly RoomTypeId[]
  /** Of the first room type. */
  readonly roomIds: readonly RoomId[]
  readonly timeZone: string
  /** Dates relative to the local date of the hotel. */
  day(offset: number): IsoDate
}

export interface HotelOptions {
  /** Rooms of each type. */
  readonly rooms: readonly number[]
  /** Rooms of the first type that other channels have sold, per night from today on. */
  readonly channelSold?: readonly number[]
  readonly timeZone?: string
  readonly tenantId?: TenantId
  readonly propertyId?: PropertyId
}

export async function openHotel(
  environment: TestEnvironment,
  options: HotelOptions,
): Promise<Hotel> {
  const { rooms, timeZone = 'Asia/Kabul', tenantId = newId('tnt') } = options
  const { propertyId = newId('ppt'), channelSold } = options
  const today = todayIn(timeZone, await readClock(environment))
  const roomTypeIds = rooms.map(() => newId('rmt'))
  const roomIds = Array.from({ length: rooms[0] ?? 0 }, () => newId('rmu'))
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 1,
    onError: () => undefined,
  })
  await db.query(
    seedRoomTypes(
      {
        tenants: rooms.map(() => idToUuid(tenantId)),
        properties: rooms.map(() => idToUuid(propertyId)),
        roomTypes: roomTypeIds.map(idToUuid),
        capacities: rooms,
        timeZones: rooms.map(() => timeZone),
        channelSales: rooms.map((_, index) => {
          return index > 0 || channelSold === undefined ? null : `{${channelSold.join(',')}}`
        }),
      },
      today,
    ),
  )
  await db.query(
    seedRooms({
      tenants: roomIds.map(() => idToUuid(tenantId)),
      roomTypes: roomIds.map(() => idToUuid(roomTypeIds[0] ?? newId('rmt'))),
      rooms: roomIds.map(idToUuid),
    }),
  )
  const day = (offset: number) => addDays(today, offset)
  return { tenantId, propertyId, roomTypeIds, roomIds, timeZone, day }
}

export async function readClock(environment: TestEnvironment): Promise<Date> {
  const [row] = await environment.query<{ at: Date }>('select clock_timestamp() as at')
  return row?.at ?? new Date(Number.NaN)
}

export interface HoldRequest {
  readonly stay?: StayDates
  readonly rooms?: number
  readonly items?: readonly { readonly roomTypeId: RoomTypeId; readonly rooms: number }[]
  readonly holder?: string
  readonly session?: string
  readonly key?: string
}

/** By default one night three weeks ahead in one room of the first type. */
export function placeHold(
  url: string,
  hotel: Hotel,
  request: HoldRequest = {},
): Promise<TestResponse> {
  const [roomTypeId] = hotel.roomTypeIds
  const items = request.items ?? [{ roomTypeId, rooms: request.rooms ?? 1 }]
  const stay = request.stay ?? { checkIn: hotel.day(21), checkOut: hotel.day(22) }
  return post(url, hotel, '/inventory/holds', {
    key: request.key,
    json: {
      propertyId: hotel.propertyId,
      items,
      stay,
      holder: request.holder ?? newId('bdr'),
      ...(request.session !== undefined && { session: request.session }),
    },
  })
}

export type Settling = 'commit' | 'release' | 'extend'

export function settleHold(
  url: string,
  hotel: Hotel,
  { allocationId, how, key }: { allocationId: unknown; how: Settling; key?: string },
): Promise<TestResponse> {
  const path = `/inventory/holds/${String(allocationId)}/${how}`
  return post(url, hotel, path, { key, json: {} })
}

export function post(
  url: string,
  { tenantId }: Pick<Hotel, 'tenantId'>,
  path: string,
  { key = newId('req'), json }: { key?: string | undefined; json: unknown },
): Promise<TestResponse> {
  const upstream = path.slice(1).startsWith('reservations') ? 'reservation' : 'inventory'
  return send(url, 'POST', `/upstreams/${upstream}/api/v1${path}`, {
    key,
    json,
    headers: serviceHeaders(tenantId),
  })
}

/** For all tenants. A consistent database has no mismatch. */
export async function reconcile(environment: TestEnvironment) {
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 1,
    onError: () => undefined,
  })
  return await db.query(findDrift())
}

export interface NightRow {
  night: IsoDate
  capacity: number
  held: number
  sold: number
}

export function readNights(
  environment: TestEnvironment,
  roomTypeId: RoomTypeId | undefined,
): Promise<NightRow[]> {
  return environment.query<NightRow>(
    `select night::text as night, capacity, held, sold from sandbox.inventory_night
     where room_type_id = $1 order by night`,
    [idToUuid(roomTypeId ?? newId('rmt'))],
  )
}

/** Makes a hold expire `ms` from now by the database clock. */
export async function setExpiry(
  environment: TestEnvironment,
  allocationIds: readonly unknown[],
  ms: number,
) {
  const uuids = allocationIds.map((id) => idToUuid(String(id) as ReturnType<typeof newId<'inv'>>))
  await environment.query(
    `with moved as (
       update sandbox.inventory_allocation
       set expires_at = date_trunc('milliseconds', clock_timestamp() + $2 * interval '1 ms')
       where allocation_id = any ($1) returning allocation_id, expires_at)
     update sandbox.reservation_booking r set hold_expires_at = m.expires_at
     from moved m where r.allocation_id = m.allocation_id`,
    [uuids, ms],
  )
}

export const tally = (responses: readonly TestResponse[]) =>
  responses.reduce<Record<string, number>>((counts, { status, body }) => {
    const name = status < 300 ? String(status) : `${status} ${String(body['code']).slice(11)}`
    counts[name] = (counts[name] ?? 0) + 1
    return counts
  }, {})

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

/** Prints measurements; requirements are asserted. */
export function note(line: string): void {
  process.stdout.write(`${line}\n`)
}
