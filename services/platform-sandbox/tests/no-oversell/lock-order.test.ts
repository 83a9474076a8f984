import { createDatabase } from '@melmastoon/chassis/db'
import { idToUuid, type RoomTypeId } from '@melmastoon/domain'
import { barrier } from '@melmastoon/testkit'
import { Client, DatabaseError } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepHolds } from '../../src/modules/inventory/expire-holds.ts'
import { followExpiry } from '../../src/modules/reservation/module.ts'
import {
  type Answer,
  queryAsAdmin,
  type RunningSandbox,
  type Stage,
  setStage,
  startSandbox,
} from '../start-sandbox.ts'
import {
  type Hotel,
  openHotel,
  placeHold,
  reconcile,
  type Settling,
  setExpiry,
  settleHold,
} from './hotel.ts'

let stage: Stage
let sandbox: RunningSandbox

beforeAll(async () => {
  stage = await setStage()
  sandbox = await startSandbox(stage)
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await stage[Symbol.asyncDispose]()
})

/** Another beginning and another order of room types each time, all over the same nights. */
function askNumber(hotel: Hotel, index: number) {
  const rotated = hotel.roomTypeIds.map((_, type) => {
    const roomTypeId = hotel.roomTypeIds[(type + index) % hotel.roomTypeIds.length] as RoomTypeId
    return { roomTypeId, rooms: 1 }
  })
  const items = index % 2 === 0 ? rotated : rotated.toReversed()
  const from = 50 + ((index * 7) % 5)
  return { items, stay: { checkIn: hotel.day(from), checkOut: hotel.day(from + 5) } }
}

/** What became of each hold, while others are placed and lapse around it. */
async function live(hotel: Hotel, index: number): Promise<Answer[]> {
  const placed = await placeHold(sandbox.url, hotel, askNumber(hotel, index))
  if (placed.status !== 201) return [placed]
  const { allocationId } = placed.body
  const how = (['commit', 'release', 'extend', null] as const)[index % 4] as Settling | null
  if (how === null) {
    await setExpiry(stage, [allocationId], -1)
    return [placed]
  }
  return [placed, await settleHold(sandbox.url, hotel, { allocationId, how })]
}

describe('stays over the same nights and room types', () => {
  it('HOLD-06 never wait for each other in a circle, in whatever order they are asked', async () => {
    const hotel = await openHotel(stage, { rooms: [30, 30, 30] })
    await using db = createDatabase({ url: stage.relayUrl, poolMax: 2, onError: () => undefined })
    const sweep = () => sweepHolds(db, { instance: 'test', followExpiry, batchHolds: 3 })
    const lives = Promise.all(Array.from({ length: 100 }, (_, index) => live(hotel, index)))
    let isDone = false
    const sweeping = (async () => {
      while (!isDone) await Promise.all([sweep(), sweep()])
    })()
    const answers = (await lives.finally(() => (isDone = true))).flat()
    await sweeping
    await sweep()
    const codes = new Set(answers.map(({ status, body }) => body['code'] ?? status))
    expect(codes).not.toContain('MELMASTOON.GENERAL.CONFLICT')
    expect([...codes].filter((code) => code !== 200 && code !== 201)).toEqual(
      [...codes].filter((code) => code === 'MELMASTOON.INVENTORY.INSUFFICIENT_AVAILABILITY'),
    )
    expect(await countDeadlocks()).toBe(0)
    expect(await reconcile(stage)).toEqual([])
  })

  it('the same in mixed order by hand does: the test above can fail', async () => {
    const hotel = await openHotel(stage, { rooms: [30] })
    const stay = { checkIn: hotel.day(60), checkOut: hotel.day(65) }
    await placeHold(sandbox.url, hotel, { stay })
    const met = barrier(8)
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => lockByHand(hotel, index, () => met.arrive())),
    )
    expect(outcomes).toContain('40P01')
  })
})

/** Half go up the nights, half come down, and all have their first before any goes on. */
async function lockByHand(hotel: Hotel, index: number, meet: () => Promise<void>): Promise<string> {
  const client = new Client({ connectionString: stage.adminUrl })
  await client.connect()
  try {
    await client.query(`set deadlock_timeout = '10ms'; set lock_timeout = '5s'; begin`)
    const days = index % 2 === 0 ? [60, 62, 64] : [64, 62, 60]
    let isFirst = true
    for (const day of days) {
      if (!isFirst) await meet()
      const bump = client.query(
        `update sandbox.inventory_night set held = held where room_type_id = $1 and night = $2`,
        [idToUuid(hotel.roomTypeIds[0] as RoomTypeId), hotel.day(day)],
      )
      // Two have their first nights; the others queue behind them and need not be waited for.
      if (isFirst && index > 1) void meet()
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
  const [row] = await queryAsAdmin<{ n: number }>(
    stage,
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  )
  return row?.n ?? -1
}
