import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import {
  type RunningSandbox,
  sandboxEnvironment,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { useSandbox } from '../use-sandbox.ts'
import {
  note,
  openHotel,
  percentile,
  placeHold,
  readNights,
  reconcile,
  setExpiry,
  tally,
} from './hotel.ts'
import { raceForRooms } from './last-room.ts'
import { giveQuote, holdReservation } from './quote.ts'

const BUYERS = 200
const ROUNDS = 3
/** Takes seconds on a busy machine. */
const SLOW = { timeout: 90_000 }
const BLOCKED = '409 RESERVATION.OVERBOOKING_BLOCKED'

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

describe('the last room', () => {
  it('HOLD-01 is held by one of 200 buyers, the others are rejected quickly', SLOW, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const race = await raceForRooms(environment, [sandbox.url], { buyers: BUYERS, rooms: 1 })
      expect(tally(race.responses)).toEqual({ 201: 1, [BLOCKED]: BUYERS - 1 })
      const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(race.latenciesMs, share))
      note(`HOLD-01 round ${round}: p50 ${p50} ms, p95 ${p95} ms, slowest ${max} ms`)
    }
    expect(await reconcile(environment)).toEqual([])
  })

  it('HOLD-02 as many succeed as there are rooms', SLOW, async () => {
    for (const rooms of [0, 1, 2, 10, 199, 200]) {
      const { responses, hotel } = await raceForRooms(environment, [sandbox.url], {
        buyers: BUYERS,
        rooms,
      })
      const counted = tally(responses)
      expect([counted['201'] ?? 0, counted[BLOCKED] ?? 0]).toEqual([rooms, BUYERS - rooms])
      const [night] = await readNights(environment, hotel.roomTypeIds[0])
      expect(night?.held ?? 0).toBe(rooms)
    }
    expect(await reconcile(environment)).toEqual([])
  })
})

describe('one buyer', () => {
  it('HOLD-04 twenty retries create one hold and return the same response', async () => {
    const hotel = await openHotel(environment, { rooms: [5] })
    const request = {
      quoteId: await giveQuote(environment, hotel),
      draftId: newId('bdr'),
      key: newId('req'),
    }
    const click = () => holdReservation(sandbox.url, hotel, request)
    const clicks = await Promise.all(Array.from({ length: 20 }, click))
    const counted = tally(clicks)
    expect((counted['201'] ?? 0) + (counted['409 IDEMPOTENCY.IN_FLIGHT'] ?? 0)).toBe(20)
    const late = await click()
    expect([late.status, late.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    const responses = [...clicks, late].filter(({ status }) => status === 201)
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 1 }])
  })

  it('HOLD-05 many tabs of one guest hold rooms once', async () => {
    const hotel = await openHotel(environment, { rooms: [50] })
    const request = { quoteId: await giveQuote(environment, hotel), draftId: newId('bdr') }
    const tabs = await Promise.all(
      Array.from({ length: 20 }, () => holdReservation(sandbox.url, hotel, request)),
    )
    expect(tally(tabs)).toEqual({ 201: 1, '409 RESERVATION.HOLD_ACTIVE': 19 })
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 1 }])

    const first = tabs.find(({ status }) => status === 201)
    await setExpiry(environment, [first?.body['allocationId']], -1)
    expect((await holdReservation(sandbox.url, hotel, request)).status).toBe(201)
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 1 }])
  })

  it('HOLD-12 a session holds at most five rooms, and releases them by expiry', async () => {
    const hotel = await openHotel(environment, { rooms: [50] })
    const session = newId('gms')
    const grab = () => placeHold(sandbox.url, hotel, { session })
    const grabs = await Promise.all(Array.from({ length: 30 }, grab))
    const held = grabs.filter(({ status }) => status === 201)
    expect(held.length).toBeLessThanOrEqual(5)
    const more: Awaited<ReturnType<typeof grab>>[] = []
    for (let i = 0; i < 6; i += 1) more.push(await grab())
    const all = [...held, ...more.filter(({ status }) => status === 201)]
    expect(all).toHaveLength(5)
    expect(more.at(-1)?.body['code']).toBe('MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED')
    expect((await placeHold(sandbox.url, hotel, { session: newId('gms') })).status).toBe(201)

    await setExpiry(
      environment,
      all.map(({ body }) => body['allocationId']),
      -1,
    )
    expect((await grab()).status).toBe(201)
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 2 }])
    expect(await environment.countRows('inventory_allocation', `session = '${session}'`)).toBe(6)
  })
})

describe('without its guard', () => {
  it('HOLD-00 control: the same race sells one room many times', async () => {
    await using bare = await sandboxEnvironment()
    await bare.query(`alter table sandbox.inventory_night drop constraint ck_inventory_night_capacity;
       create function sandbox.linger() returns trigger language plpgsql as
         $$ begin perform pg_sleep(0.2); return new; end $$;
       create trigger linger before insert on sandbox.inventory_allocation
         for each row execute function sandbox.linger()`)
    await using unguarded = await startSandbox(bare)
    const { responses, hotel } = await raceForRooms(bare, [unguarded.url], { buyers: 40, rooms: 1 })
    const winners = tally(responses)['201'] ?? 0
    note(`HOLD-00: ${winners} winners of one room`)
    expect(winners).toBeGreaterThan(1)
    expect(await readNights(bare, hotel.roomTypeIds[0])).toMatchObject([{ held: winners }])
    expect(await reconcile(bare)).toHaveLength(1)
  })
})

it('the inventory is consistent after all tests', async () => {
  expect(await reconcile(environment)).toEqual([])
})
