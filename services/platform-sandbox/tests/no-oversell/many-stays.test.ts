import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '@melmastoon/chassis/db'
import { daysBetween, idToUuid, nightsOf, type RoomTypeId, todayIn } from '@melmastoon/domain'
import { barrier } from '@melmastoon/testkit'
import fc from 'fast-check'
import { Client, DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { sweepHolds } from '../../src/modules/inventory/expire-holds.ts'
import { onHoldsExpired } from '../../src/modules/reservation/module.ts'
import { type RunningSandbox, type TestEnvironment, type TestResponse } from '../start-sandbox.ts'
import { useSandbox } from '../use-sandbox.ts'
import { anyRounds, type Hold, type Played, playRounds } from './hold-model.ts'
import {
  type Hotel,
  openHotel,
  placeHold,
  readClock,
  readNights,
  reconcile,
  type Settling,
  setExpiry,
  settleHold,
} from './hotel.ts'

const LIVES = 60
/** Takes seconds on a busy machine. */
const SLOW = { timeout: 90_000 }

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

const FIRST_DAY = 30

/** Any stays of one to four nights and one or two rooms within ten nights. */
const anyStays = fc.record({
  rooms: fc.integer({ min: 1, max: 4 }),
  stays: fc.array(
    fc.record({
      from: fc.integer({ min: 0, max: 8 }),
      nights: fc.integer({ min: 1, max: 4 }),
      rooms: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 4, maxLength: 14 },
  ),
})

describe('stays that overlap', () => {
  it('HOLD-03 fill every night to its capacity and never beyond, in any order', SLOW, async () => {
    await fc.assert(
      fc.asyncProperty(anyStays, async ({ rooms, stays }) => {
        const hotel = await openHotel(environment, { rooms: [rooms] })
        const requests = stays.map((stay) => ({
          rooms: stay.rooms,
          stay: {
            checkIn: hotel.day(FIRST_DAY + stay.from),
            checkOut: hotel.day(FIRST_DAY + stay.from + stay.nights),
          },
        }))
        const responses = await Promise.all(
          requests.map((request) => placeHold(sandbox.url, hotel, request)),
        )
        const held = new Map<string, number>()
        for (const [index, request] of requests.entries()) {
          expect([201, 409]).toContain(responses[index]?.status)
          if (responses[index]?.status !== 201) continue
          for (const night of nightsOf(request.stay)) {
            held.set(night, (held.get(night) ?? 0) + request.rooms)
          }
        }
        const nights = await readNights(environment, hotel.roomTypeIds[0])
        for (const night of nights) {
          expect(night.held).toBe(held.get(night.night) ?? 0)
          expect(night.held).toBeLessThanOrEqual(rooms)
        }
        // Nothing was released, so a rejected request must still find a full night.
        for (const [index, request] of requests.entries()) {
          if (responses[index]?.status === 201) continue
          const isFull = nightsOf(request.stay).some((night) => {
            return (held.get(night) ?? 0) + request.rooms > rooms
          })
          expect(isFull).toBe(true)
        }
      }),
      { numRuns: 8 },
    )
    expect(await reconcile(environment)).toEqual([])
  })

  it('one room accepts back-to-back stays, in any order and concurrently', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const days = [40, 42, 41, 45, 44, 43]
    const responses = await Promise.all(
      days.map((day) => {
        const stay = { checkIn: hotel.day(day), checkOut: hotel.day(day + 1) }
        return placeHold(sandbox.url, hotel, { stay })
      }),
    )
    expect(responses.map(({ status }) => status)).toEqual(days.map(() => 201))
  })
})

describe('the local calendar of the hotel', () => {
  /** At any time at least one of the two outer zones has another date than UTC. */
  const ZONES = [
    'Asia/Kabul',
    'Europe/Berlin',
    'America/New_York',
    'Pacific/Kiritimati',
    'Etc/GMT+12',
  ]

  it.each(ZONES)('HOLD-14 decides what today is in %s', async (timeZone) => {
    const hotel = await openHotel(environment, { rooms: [2], timeZone })
    expect(hotel.day(0)).toBe(todayIn(timeZone, await readClock(environment)))
    const tonight = { checkIn: hotel.day(0), checkOut: hotel.day(1) }
    const lastNight = { checkIn: hotel.day(-1), checkOut: hotel.day(0) }
    expect((await placeHold(sandbox.url, hotel, { stay: tonight })).status).toBe(201)
    const rejected = await placeHold(sandbox.url, hotel, { stay: lastNight })
    expect(rejected.body['code']).toBe('MELMASTOON.INVENTORY.STAY_INVALID')
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([
      { night: hotel.day(0) },
    ])
  })

  it('a stay across a clock change has each calendar night once', async () => {
    const changes = { 'Europe/Berlin': ['03-24', '10-27'], 'America/New_York': ['03-10', '11-03'] }
    for (const [timeZone, dates] of Object.entries(changes)) {
      const hotel = await openHotel(environment, { rooms: [1], timeZone })
      const year = Number(hotel.day(0).slice(0, 4)) + 1
      for (const date of dates) {
        const offset = daysBetween(hotel.day(0), `${year}-${date}` as ReturnType<typeof hotel.day>)
        const stay = { checkIn: hotel.day(offset), checkOut: hotel.day(offset + 10) }
        expect((await placeHold(sandbox.url, hotel, { stay })).status).toBe(201)
      }
      const nights = await readNights(environment, hotel.roomTypeIds[0])
      expect(nights.map(({ night }) => night)).toEqual(
        dates.flatMap((date) => {
          const offset = daysBetween(
            hotel.day(0),
            `${year}-${date}` as ReturnType<typeof hotel.day>,
          )
          return Array.from({ length: 10 }, (_, night) => hotel.day(offset + night))
        }),
      )
    }
    expect(await reconcile(environment)).toEqual([])
  })
})

/** Another start and another order of room types each time, over the same nights. */
function requestNumber(hotel: Hotel, index: number) {
  const rotated = hotel.roomTypeIds.map((_, type) => {
    const roomTypeId = hotel.roomTypeIds[(type + index) % hotel.roomTypeIds.length] as RoomTypeId
    return { roomTypeId, rooms: 1 }
  })
  const items = index % 2 === 0 ? rotated : rotated.toReversed()
  const from = 50 + ((index * 7) % 5)
  return { items, stay: { checkIn: hotel.day(from), checkOut: hotel.day(from + 5) } }
}

/** The outcome of each hold, while others are placed and expire. */
async function live(hotel: Hotel, index: number): Promise<TestResponse[]> {
  const placed = await placeHold(sandbox.url, hotel, requestNumber(hotel, index))
  if (placed.status !== 201) return [placed]
  const { allocationId } = placed.body
  const how = (['commit', 'release', 'extend', null] as const)[index % 4] as Settling | null
  if (how === null) {
    await setExpiry(environment, [allocationId], -1)
    return [placed]
  }
  return [placed, await settleHold(sandbox.url, hotel, { allocationId, how })]
}

describe('stays over the same nights and room types', () => {
  it('HOLD-06 never deadlock, in any order of requests', SLOW, async () => {
    const hotel = await openHotel(environment, { rooms: [30, 30, 30] })
    await using db = createDatabase({
      url: environment.relayUrl,
      poolMax: 2,
      onError: () => undefined,
    })
    const sweep = () => sweepHolds(db, { instance: 'test', onHoldsExpired, batchHolds: 3 })
    const lives = Promise.all(Array.from({ length: LIVES }, (_, index) => live(hotel, index)))
    let isDone = false
    const sweeping = (async () => {
      while (!isDone) {
        await Promise.all([sweep(), sweep()])
        await sleep(5)
      }
    })()
    const responses = (await lives.finally(() => (isDone = true))).flat()
    await sweeping
    await sweep()
    const codes = new Set(responses.map(({ status, body }) => body['code'] ?? status))
    expect(codes).not.toContain('MELMASTOON.GENERAL.CONFLICT')
    expect([...codes].filter((code) => code !== 200 && code !== 201)).toEqual(
      [...codes].filter((code) => code === 'MELMASTOON.INVENTORY.INSUFFICIENT_AVAILABILITY'),
    )
    expect(await countDeadlocks()).toBe(0)
    expect(await reconcile(environment)).toEqual([])
  })

  it('control: locking in mixed order deadlocks', async () => {
    const hotel = await openHotel(environment, { rooms: [30] })
    const stay = { checkIn: hotel.day(60), checkOut: hotel.day(65) }
    await placeHold(sandbox.url, hotel, { stay })
    const seen = barrier(8)
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => lockNights(hotel, index, () => seen.arrive())),
    )
    expect(outcomes).toContain('40P01')
  })
})

/**
 * Half lock the nights in ascending, half in descending order, and all have their first lock before
 * any continues.
 */
async function lockNights(
  hotel: Hotel,
  index: number,
  waitForOthers: () => Promise<void>,
): Promise<string> {
  const client = new Client({ connectionString: environment.adminUrl })
  await client.connect()
  try {
    await client.query(`set deadlock_timeout = '10ms'; set lock_timeout = '5s'; begin`)
    const days = index % 2 === 0 ? [60, 62, 64] : [64, 62, 60]
    let isFirst = true
    for (const day of days) {
      if (!isFirst) await waitForOthers()
      const bump = client.query(
        `update sandbox.inventory_night set held = held where room_type_id = $1 and night = $2`,
        [idToUuid(hotel.roomTypeIds[0] as RoomTypeId), hotel.day(day)],
      )
      // Two have their first locks; the others queue behind them and are not awaited.
      if (isFirst && index > 1) void waitForOthers()
      await bump
      isFirst = false
    }
    await client.query('commit')
    return 'done'
  } catch (error) {
    if (error instanceof DatabaseError) return error.code ?? ''
    throw error
  } finally {
    await client.end()
  }
}

async function countDeadlocks(): Promise<number> {
  const [row] = await environment.query<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  )
  return row?.n ?? -1
}

it(
  'HOLD-15 concurrent changes of holds leave consistent counters and responses',
  SLOW,
  async () => {
    const target = { environment, url: sandbox.url }
    await fc.assert(
      fc.asyncProperty(anyRounds, (rounds) => playRounds(target, rounds, checkRest)),
      { numRuns: 6 },
    )
  },
)

interface StateRow {
  allocation_id: string
  state: string
}

async function checkRest({ hotel, holds, responses }: Played): Promise<void> {
  expect(responses.filter(({ status }) => status >= 500)).toEqual([])
  expect(await reconcile(environment)).toEqual([])
  const rows = await environment.query<StateRow>(
    'select allocation_id, state from sandbox.inventory_allocation where property_id = $1',
    [idToUuid(hotel.propertyId)],
  )
  const states = new Map(rows.map(({ allocation_id, state }) => [allocation_id, state]))
  expect(rows).toHaveLength(holds.length)
  const promised = new Map<string, number>()
  for (const hold of holds) {
    const id = idToUuid(hold.allocationId as Parameters<typeof idToUuid>[0])
    const state = states.get(id)
    checkHistory(hold, state)
    if (state !== 'active' && state !== 'committed') continue
    for (const night of nightsOf(hold.stay)) {
      promised.set(night, (promised.get(night) ?? 0) + hold.rooms)
    }
  }
  for (const { night, held, sold, capacity } of await readNights(
    environment,
    hotel.roomTypeIds[0],
  )) {
    expect(held + sold).toBe(promised.get(night) ?? 0)
    expect(held + sold).toBeLessThanOrEqual(capacity)
  }
}

/** Successful responses match the state: no second sale, no sale of released rooms. */
function checkHistory({ done }: Hold, state: string | undefined): void {
  expect(done.commit).toBeLessThanOrEqual(1)
  expect(done.release).toBeLessThanOrEqual(1)
  if (done.release === 1) expect(state).toBe('released')
  else if (done.commit === 1) expect(state).toBe('committed')
  else expect(['active', 'expired']).toContain(state)
}
