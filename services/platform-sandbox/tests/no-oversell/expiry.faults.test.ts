import { spawnProcess } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { raceSettlements } from '../inventory/settle-race.ts'
import { type RunningSandbox, spawnSandbox, type TestEnvironment } from '../start-sandbox.ts'
import { useSandbox } from '../use-sandbox.ts'
import { raceExpiry } from './expiry-race.ts'
import { note, openHotel, placeHold, readNights, reconcile, setExpiry } from './hotel.ts'
import { createSweeper } from './sweep.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url)
const TRIALS = 10_000
const TRIALS_A_ROUND = 500

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

describe('a hold at its end, many times', () => {
  it('HOLD-07 is committed or expired in 10,000 trials', { timeout: 3_600_000 }, async () => {
    let committed = 0
    for (let done = 0; done < TRIALS; done += TRIALS_A_ROUND) {
      const race = await raceExpiry(environment, sandbox.url, TRIALS_A_ROUND)
      const { length } = race.committed
      expect(race.states).toEqual({ committed: length, expired: TRIALS_A_ROUND - length })
      expect(await readNights(environment, race.hotel.roomTypeIds[0])).toMatchObject([
        { held: 0, sold: length },
      ])
      expect(await reconcile(environment)).toEqual([])
      committed += length
    }
    note(`HOLD-07: ${committed} committed, ${TRIALS - committed} expired`)
  })
})

describe('a hold that is committed and released at once, many times', () => {
  it('has one outcome in 2,000 trials', { timeout: 600_000 }, async () => {
    await raceSettlements(environment, sandbox.url, 2_000)
    expect(await reconcile(environment)).toEqual([])
  })
})

describe('a sweeper killed repeatedly', () => {
  it('HOLD-09 between its batches leaves whole batches', async () => {
    const hotel = await openHotel(environment, { rooms: [250] })
    const ids: unknown[] = []
    for (let i = 0; i < 25; i += 1) {
      const some = await Promise.all(
        Array.from({ length: 10 }, () => placeHold(sandbox.url, hotel)),
      )
      ids.push(...some.map(({ body }) => body['allocationId']))
    }
    await setExpiry(environment, ids, -1)
    const env = {
      ...environment.env,
      NODE_ENV: 'test',
      MELMASTOON_CRASH_AT: 'inventory.between_batches',
    }
    const left: number[] = []
    for (let run = 0; run < 2; run += 1) {
      await using killed = spawnProcess(MAIN, { args: ['jobs', 'run', 'expire-holds'], env })
      expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' })
      await environment.query('delete from sandbox.job_run')
      expect(await reconcile(environment)).toEqual([])
      const [night] = await readNights(environment, hotel.roomTypeIds[0])
      left.push(night?.held ?? -1)
    }
    expect(left).toEqual([150, 50])
    await using sweeper = createSweeper(environment)
    expect((await sweeper.sweep()).expired).toBe(50)
    expect(await reconcile(environment)).toEqual([])
  })

  it.each(['inventory.mid_sweep', 'inventory.before_sweep_commit'])(
    'HOLD-09 at %s has changed nothing',
    async (point) => {
      const hotel = await openHotel(environment, { rooms: [1] })
      const { body } = await placeHold(sandbox.url, hotel)
      await setExpiry(environment, [body['allocationId']], -1)
      const env = { ...environment.env, NODE_ENV: 'test', MELMASTOON_CRASH_AT: point }
      await using killed = spawnProcess(MAIN, { args: ['jobs', 'run', 'expire-holds'], env })
      expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' })
      await environment.query('delete from sandbox.job_run')
      expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 1 }])
      expect(await reconcile(environment)).toEqual([])
      await using sweeper = createSweeper(environment)
      expect((await sweeper.sweep()).expired).toBe(1)
    },
  )
})

describe('a process killed before it commits a hold', () => {
  it.each(['inventory.before_hold_commit', 'idempotency.before_complete'])(
    'HOLD-09 at %s has taken nothing',
    async (point) => {
      const hotel = await openHotel(environment, { rooms: [1] })
      await using killed = await spawnSandbox(environment, { MELMASTOON_CRASH_AT: point })
      const lost = placeHold(killed.url, hotel).catch(() => 'no response')
      expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' })
      expect(await lost).toBe('no response')
      expect(await readNights(environment, hotel.roomTypeIds[0])).toEqual([])
      expect(await reconcile(environment)).toEqual([])
      expect((await placeHold(sandbox.url, hotel)).status).toBe(201)
    },
  )
})
