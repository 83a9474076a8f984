import { idToUuid, newId } from '@melmastoon/domain'
import { spawnProcess } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import {
  drainEvents,
  type RunningSandbox,
  spawnSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { useSandbox } from '../use-sandbox.ts'
import { SHIFT_MS } from './clock-shift.ts'
import { raceExpiry } from './expiry-race.ts'
import {
  note,
  openHotel,
  placeHold,
  readClock,
  readNights,
  reconcile,
  setExpiry,
  settleHold,
} from './hotel.ts'
import { giveQuote, holdReservation } from './quote.ts'
import { createSweeper } from './sweep.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url)
const SHIFT_CLOCK = new URL('./shift-clock.ts', import.meta.url)

/** Takes seconds on a busy machine. */
const SLOW = { timeout: 90_000 }

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

describe('a hold at its end', () => {
  it('HOLD-07 is committed or expired, never both and never neither', SLOW, async () => {
    const { hotel, committed, rejected, states } = await raceExpiry(environment, sandbox.url, 120)
    note(`HOLD-07: ${committed.length} committed, ${rejected.length} expired`)
    expect(committed.length * rejected.length, 'both must be met').toBeGreaterThan(0)
    expect(states).toEqual({ committed: committed.length, expired: rejected.length })
    expect(new Set(rejected.map(({ body }) => body['code']))).toEqual(
      new Set(['MELMASTOON.INVENTORY.HOLD_EXPIRED']),
    )
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([
      { held: 0, sold: committed.length },
    ])
    expect(await reconcile(environment)).toEqual([])
  })

  it('HOLD-08 is released once, by one of three sweepers', async () => {
    const hotel = await openHotel(environment, { rooms: [60] })
    const quoteId = await giveQuote(environment, hotel)
    const held = await Promise.all(
      Array.from({ length: 60 }, () => holdReservation(sandbox.url, hotel, { quoteId })),
    )
    const ids = held.map(({ body }) => String(body['allocationId']))
    await setExpiry(environment, ids, -1)
    await using first = createSweeper(environment, 7)
    await using second = createSweeper(environment, 7)
    await using third = createSweeper(environment, 7)
    const swept = await Promise.all([first, second, third].map(({ sweep }) => sweep()))
    expect(swept.reduce((sum, { expired }) => sum + expired, 0)).toBe(60)
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([
      { held: 0, sold: 0 },
    ])
    const released = await drainEvents(environment, 'melmastoon.inventory.allocation.released.v1')
    const mine = released.map(({ payload }) => (payload as { allocationId: string }).allocationId)
    expect(mine.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.toSorted())
    const ended = await drainEvents(environment, 'melmastoon.reservation.hold_expired.v1')
    expect(ended).toHaveLength(60)
    expect(await reconcile(environment)).toEqual([])
  })
})

describe('a process killed at the worst moment', () => {
  it('HOLD-09 in the middle of a sweep leaves all holds to the next one', SLOW, async () => {
    const hotel = await openHotel(environment, { rooms: [4] })
    const quoteId = await giveQuote(environment, hotel)
    const held = await Promise.all(
      Array.from({ length: 4 }, () => holdReservation(sandbox.url, hotel, { quoteId })),
    )
    await setExpiry(
      environment,
      held.map(({ body }) => body['allocationId']),
      -1,
    )
    const env = { ...environment.env, NODE_ENV: 'test', MELMASTOON_CRASH_AT: 'inventory.mid_sweep' }
    await using killed = spawnProcess(MAIN, { args: ['jobs', 'run', 'expire-holds'], env })
    expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' })
    await environment.query('delete from sandbox.job_run')
    expect(await reconcile(environment)).toEqual([])
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 4 }])
    await using sweeper = createSweeper(environment)
    expect((await sweeper.sweep()).expired).toBe(4)
    expect(await reconcile(environment)).toEqual([])
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 0 }])
  })

  it('HOLD-09 before it commits a hold has taken nothing', SLOW, async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const quoteId = await giveQuote(environment, hotel)
    const point = { MELMASTOON_CRASH_AT: 'reservation.before_hold_commit' }
    await using killed = await spawnSandbox(environment, point)
    const request = { quoteId, draftId: newId('bdr') }
    // Repeated: on a busy machine the first request of a process may exceed its deadline.
    const hold = () =>
      holdReservation(killed.url, hotel, request).then(
        ({ status }) => status,
        () => 'no response',
      )
    await expect.poll(hold, { timeout: 30_000 }).toBe('no response')
    expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' })
    const bookings = `property_id = '${idToUuid(hotel.propertyId)}'`
    expect(await environment.countRows('reservation_booking', bookings)).toBe(0)
    expect(await readNights(environment, hotel.roomTypeIds[0])).toEqual([])
    expect(await reconcile(environment)).toEqual([])
    expect((await holdReservation(sandbox.url, hotel, request)).status).toBe(201)
    expect(await reconcile(environment)).toEqual([])
  })
})

describe('a process whose clock is ten minutes fast', () => {
  it('HOLD-11 neither shortens nor extends holds: the database clock decides', SLOW, async () => {
    const hotel = await openHotel(environment, { rooms: [3] })
    const [over, running] = await Promise.all([
      placeHold(sandbox.url, hotel),
      placeHold(sandbox.url, hotel),
    ])
    await setExpiry(environment, [over.body['allocationId']], -1)
    const env = { NODE_OPTIONS: `--import ${SHIFT_CLOCK.href}`, JOB_SCHEDULES: 'on' }
    await using fast = await spawnSandbox(environment, env)
    // Its sweeper has run once it has expired the overdue hold.
    const held = async () => (await readNights(environment, hotel.roomTypeIds[0]))[0]?.held
    await expect.poll(held, { timeout: 10_000 }).toBe(1)

    const startedMs = (await readClock(environment)).getTime()
    const placed = await placeHold(fast.url, hotel)
    const events = await drainEvents(environment, 'melmastoon.inventory.allocation.requested.v1')
    const occurredAt = events.at(-1)?.envelope.occurredAt ?? ''
    expect(Date.parse(occurredAt) - startedMs).toBeGreaterThan(SHIFT_MS)
    const lastsMs = Date.parse(String(placed.body['expiresAt'])) - startedMs
    expect(lastsMs).toBeGreaterThan(595_000)
    expect(lastsMs).toBeLessThan(630_000)
    for (const { allocationId } of [running.body, placed.body]) {
      const committed = await settleHold(fast.url, hotel, { allocationId, how: 'commit' })
      expect([committed.status, committed.body['state']]).toEqual([200, 'committed'])
    }
    expect(await reconcile(environment)).toEqual([])
  })
})
