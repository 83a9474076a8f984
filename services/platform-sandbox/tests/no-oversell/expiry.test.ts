import { idToUuid, newId } from '@melmastoon/domain'
import { spawnProcess } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  countRows,
  drainEvents,
  queryAsAdmin,
  type RunningSandbox,
  type Stage,
  setStage,
  spawnSandbox,
  startSandbox,
} from '../start-sandbox.ts'
import { raceExpiry } from './expiry-race.ts'
import {
  openHotel,
  placeHold,
  readClock,
  readNights,
  reconcile,
  setExpiry,
  settleHold,
} from './hotel.ts'
import { giveQuote, holdReservation } from './quote.ts'
import { SHIFT_MS } from './shift-clock.ts'
import { createSweeper } from './sweep.ts'

const RUN_JOB = new URL('../../src/run-job.ts', import.meta.url)
const SHIFT_CLOCK = new URL('./shift-clock.ts', import.meta.url)

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

describe('a hold at its end', () => {
  it('HOLD-07 is committed or expired, never both and never neither', async () => {
    const { hotel, committed, refused, states } = await raceExpiry(stage, sandbox.url, 120)
    console.info(`HOLD-07: ${committed.length} committed, ${refused.length} expired`)
    expect(committed.length * refused.length, 'both must be met').toBeGreaterThan(0)
    expect(states).toEqual({ committed: committed.length, expired: refused.length })
    expect(new Set(refused.map(({ body }) => body['code']))).toEqual(
      new Set(['MELMASTOON.INVENTORY.HOLD_EXPIRED']),
    )
    expect(await readNights(stage, hotel.roomTypeIds[0])).toMatchObject([
      { held: 0, sold: committed.length },
    ])
    expect(await reconcile(stage)).toEqual([])
  })

  it('HOLD-08 is given back once, by whichever of three sweepers finds it', async () => {
    const hotel = await openHotel(stage, { rooms: [60] })
    const quoteId = await giveQuote(stage, hotel)
    const held = await Promise.all(
      Array.from({ length: 60 }, () => holdReservation(sandbox.url, hotel, { quoteId })),
    )
    const ids = held.map(({ body }) => String(body['allocationId']))
    await setExpiry(stage, ids, -1)
    await using first = createSweeper(stage, 7)
    await using second = createSweeper(stage, 7)
    await using third = createSweeper(stage, 7)
    const swept = await Promise.all([first, second, third].map(({ sweep }) => sweep()))
    expect(swept.reduce((sum, { expired }) => sum + expired, 0)).toBe(60)
    expect(await readNights(stage, hotel.roomTypeIds[0])).toMatchObject([{ held: 0, sold: 0 }])
    const released = await drainEvents(stage, 'melmastoon.inventory.allocation.released.v1')
    const mine = released.map(({ payload }) => (payload as { allocationId: string }).allocationId)
    expect(mine.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.toSorted())
    const ended = await drainEvents(stage, 'melmastoon.reservation.hold_expired.v1')
    expect(ended).toHaveLength(60)
    expect(await reconcile(stage)).toEqual([])
  })
})

describe('a process killed at the worst moment', () => {
  it.each(['inventory.mid_sweep', 'inventory.before_sweep_commit'])(
    'HOLD-09 at %s leaves the holds to the next sweep, whole',
    async (point) => {
      const hotel = await openHotel(stage, { rooms: [4] })
      const quoteId = await giveQuote(stage, hotel)
      const held = await Promise.all(
        Array.from({ length: 4 }, () => holdReservation(sandbox.url, hotel, { quoteId })),
      )
      await setExpiry(
        stage,
        held.map(({ body }) => body['allocationId']),
        -1,
      )
      const env = { ...stage.env, NODE_ENV: 'test', MELMASTOON_CRASH_AT: point }
      await using killed = spawnProcess(RUN_JOB, { args: ['run', 'expire-holds'], env })
      expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' })
      await queryAsAdmin(stage, 'delete from sandbox.job_run')
      expect(await reconcile(stage)).toEqual([])
      expect(await readNights(stage, hotel.roomTypeIds[0])).toMatchObject([{ held: 4 }])
      await using sweeper = createSweeper(stage)
      expect((await sweeper.sweep()).expired).toBe(4)
      expect(await reconcile(stage)).toEqual([])
      expect(await readNights(stage, hotel.roomTypeIds[0])).toMatchObject([{ held: 0 }])
    },
  )

  it('HOLD-09 before it commits a hold has taken nothing', async () => {
    const hotel = await openHotel(stage, { rooms: [1] })
    const quoteId = await giveQuote(stage, hotel)
    const point = { MELMASTOON_CRASH_AT: 'reservation.before_hold_commit' }
    await using killed = await spawnSandbox(stage, point)
    const ask = { quoteId, draftId: newId('bdr') }
    const lost = holdReservation(killed.url, hotel, ask).catch(() => 'no answer')
    expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' })
    expect(await lost).toBe('no answer')
    const bookings = `property_id = '${idToUuid(hotel.propertyId)}'`
    expect(await countRows(stage, 'reservation_booking', bookings)).toBe(0)
    expect(await readNights(stage, hotel.roomTypeIds[0])).toEqual([])
    expect(await reconcile(stage)).toEqual([])
    expect((await holdReservation(sandbox.url, hotel, ask)).status).toBe(201)
    expect(await reconcile(stage)).toEqual([])
  })
})

describe('a process whose clock is ten minutes fast', () => {
  it('HOLD-11 ends nothing early and promises nothing longer: the database tells the time', async () => {
    const hotel = await openHotel(stage, { rooms: [1] })
    const env = { NODE_OPTIONS: `--import ${SHIFT_CLOCK.href}`, JOB_SCHEDULES: 'on' }
    await using fast = await spawnSandbox(stage, env)
    const startedMs = (await readClock(stage)).getTime()
    const placed = await placeHold(fast.url, hotel)
    const aheadMs = Date.parse(placed.headers.get('date') ?? '') - startedMs
    expect(aheadMs).toBeGreaterThan(SHIFT_MS - 5_000)
    const lastsMs = Date.parse(String(placed.body['expiresAt'])) - startedMs
    expect(lastsMs).toBeGreaterThan(595_000)
    expect(lastsMs).toBeLessThan(630_000)

    const jobEnv = { ...stage.env, NODE_ENV: 'test', ...env }
    await using job = spawnProcess(RUN_JOB, { args: ['run', 'expire-holds'], env: jobEnv })
    expect(await job.exited).toMatchObject({ code: 0 })
    const refused = await placeHold(fast.url, hotel)
    expect(refused.body['code']).toBe('MELMASTOON.INVENTORY.INSUFFICIENT_AVAILABILITY')
    const { allocationId } = placed.body
    const committed = await settleHold(fast.url, hotel, { allocationId, how: 'commit' })
    expect([committed.status, committed.body['state']]).toEqual([200, 'committed'])
    expect(await reconcile(stage)).toEqual([])
  })
})
