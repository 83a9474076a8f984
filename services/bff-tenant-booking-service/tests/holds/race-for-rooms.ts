import { setTimeout } from 'node:timers/promises'
import { createDeadline } from '@melmastoon/chassis/clock'
import { forEachConcurrently } from '@melmastoon/chassis/concurrency'
import { addDays, newId, type StayDates } from '@melmastoon/domain'
import type { TestResponse } from '@melmastoon/testkit'
import { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { freshStay, hold, quoteOf, type RoomTypeId, roomTypeOf } from '../harness/booking-flow.ts'
import { upstreamClient } from '../harness/platform.ts'
import type { Guest } from '../harness/site.ts'
import type { Booking } from '../harness/start-booking.ts'

/** The rooms of a hotel per night, as the platform counts them. */
export function createNights({ sandbox }: Booking, { tenantId, propertyId }: PropertyDetail) {
  const inventory = upstreamClient(inventoryContract, sandbox.url)
  const call = () => ({
    deadline: createDeadline(10_000),
    tenantId,
    idempotencyKey: newId('req'),
  })
  const read = async (roomTypeId: RoomTypeId, { checkIn, checkOut }: StayDates) => {
    const query = { propertyId, from: checkIn, to: checkOut }
    const { roomTypes } = await inventory.availability({ query }, call())
    return roomTypes.find((each) => each.roomTypeId === roomTypeId)?.nights ?? []
  }
  return {
    read,
    /** Leaves so many rooms free in every night of the stay. */
    async leave(roomTypeId: RoomTypeId, stay: StayDates, rooms: number): Promise<void> {
      for (const { night, held, sold } of await read(roomTypeId, stay)) {
        const body = { from: night, to: addDays(night, 1), capacity: held + sold + rooms }
        await inventory.changeCapacity({ params: { roomTypeId }, body }, call())
      }
    },
  }
}

/** Between two attempts of a guest. */
const REPEAT_MS = 250

export interface Race {
  /** Retriable responses that guests did not accept as final. */
  readonly repeated: Readonly<Record<string, number>>
  readonly stay: StayDates
  readonly roomTypeId: RoomTypeId
  readonly responses: readonly TestResponse[]
  readonly latenciesMs: readonly number[]
}

export interface RaceOptions {
  readonly hotel: PropertyDetail
  readonly guests: readonly Guest[]
  readonly rooms: number
  /** The instances of the service; guests are spread over them. */
  readonly urls: readonly string[]
  /** How many requests are under way at once. */
  readonly atOnce: number
  /** Guests repeat a retriable response with the same key, as the client library does. */
  readonly repeats?: number
}

/** Guests who request a room of the same nights concurrently. */
export async function raceForRooms(booking: Booking, options: RaceOptions): Promise<Race> {
  const { hotel, guests, rooms, urls, atOnce, repeats = 0 } = options
  const [first] = guests
  if (first === undefined) throw new TypeError('a race needs guests')
  const roomTypeId = roomTypeOf(hotel)
  const stay = freshStay(hotel)
  const quote = await quoteOf(first, hotel, { stay, roomTypeId })
  await createNights(booking, hotel).leave(roomTypeId, stay, rooms)
  const latenciesMs: number[] = []
  const rejected: TestResponse[] = []
  const buy = async (guest: Guest, index: number) => {
    const startedMs = performance.now()
    const key = newId('req')
    for (let attempt = 0; ; attempt += 1) {
      const url = urls[(index + attempt) % urls.length] ?? ''
      const response = await hold(guest.at({ url }), quote, { key })
      if (attempt < repeats && response.body['retriable'] === true) {
        rejected.push(response)
        await setTimeout(REPEAT_MS)
        continue
      }
      latenciesMs.push(performance.now() - startedMs)
      return response
    }
  }
  const responses = await mapAtOnce(guests, atOnce, buy)
  return { stay, roomTypeId, responses, latenciesMs, repeated: tally(rejected) }
}

/** In the order of the items. */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  await forEachConcurrently([...items.entries()], atOnce, async ([index, item]) => {
    results[index] = await work(item, index)
  })
  return results
}

/** How often each outcome occurred: `201`, `409 BFF.TENANT.SOLD_OUT`. */
export function tally(responses: readonly TestResponse[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of responses) {
    const { code = '' } = body as { readonly code?: string }
    const name = `${status} ${code.replace('MELMASTOON.', '')}`.trim()
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

/** Sessions, a few at a time. */
export function createGuests({ site }: Booking, count: number): Promise<Guest[]> {
  return mapAtOnce(Array.from({ length: count }), 20, () => site.guest())
}
