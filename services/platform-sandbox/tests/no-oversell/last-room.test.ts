import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  queryAsAdmin,
  type RunningSandbox,
  type Stage,
  setStage,
  startSandbox,
} from '../start-sandbox.ts'
import { percentile, readNights, reconcile, tally } from './hotel.ts'
import { raceForRooms } from './last-room.ts'

const BUYERS = 200
const BLOCKED = '409 RESERVATION.OVERBOOKING_BLOCKED'

let stage: Stage
let sandbox: RunningSandbox

beforeAll(async () => {
  stage = await setStage()
  sandbox = await startSandbox(stage)
  // The first requests find connections to open and statements to prepare.
  await raceForRooms(stage, [sandbox.url], { buyers: 50, rooms: 25 })
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await stage[Symbol.asyncDispose]()
})

describe('the last room', () => {
  it('HOLD-01 is held by one of 200 buyers, the others hear so soon', async () => {
    for (let round = 0; round < 5; round += 1) {
      const race = await raceForRooms(stage, [sandbox.url], { buyers: BUYERS, rooms: 1 })
      expect(tally(race.answers)).toEqual({ 201: 1, [BLOCKED]: BUYERS - 1 })
      const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(race.latenciesMs, share))
      console.info(`HOLD-01 round ${round}: p50 ${p50} ms, p95 ${p95} ms, slowest ${max} ms`)
    }
    expect(await reconcile(stage)).toEqual([])
  })

  it('HOLD-02 as many win as there are rooms', async () => {
    for (const rooms of [0, 1, 2, 10, 199, 200]) {
      const { answers, hotel } = await raceForRooms(stage, [sandbox.url], { buyers: BUYERS, rooms })
      const counted = tally(answers)
      expect([counted['201'] ?? 0, counted[BLOCKED] ?? 0]).toEqual([rooms, BUYERS - rooms])
      const [night] = await readNights(stage, hotel.roomTypeIds[0])
      expect(night?.held ?? 0).toBe(rooms)
    }
    expect(await reconcile(stage)).toEqual([])
  })
})

describe('without its guard', () => {
  it('HOLD-00 the same race sells one room many times: the test above can fail', async () => {
    await using bare = await setStage()
    await queryAsAdmin(
      bare,
      `alter table sandbox.inventory_night drop constraint ck_inventory_night_capacity;
       create function sandbox.linger() returns trigger language plpgsql as
         $$ begin perform pg_sleep(0.05); return new; end $$;
       create trigger linger before insert on sandbox.inventory_allocation
         for each row execute function sandbox.linger()`,
    )
    await using unguarded = await startSandbox(bare)
    const { answers, hotel } = await raceForRooms(bare, [unguarded.url], { buyers: 40, rooms: 1 })
    const winners = tally(answers)['201'] ?? 0
    console.info(`HOLD-00: ${winners} winners of one room`)
    expect(winners).toBeGreaterThan(1)
    expect(await readNights(bare, hotel.roomTypeIds[0])).toMatchObject([{ held: winners }])
    expect(await reconcile(bare)).toHaveLength(1)
  })
})
