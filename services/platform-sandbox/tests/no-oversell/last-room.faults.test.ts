import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type SandboxProcess,
  sandboxEnvironment,
  spawnSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { note, percentile, reconcile, tally } from './hotel.ts'
import { raceForRooms } from './last-room.ts'

const ROUNDS = 1_000
const BUYERS = 200
const BLOCKED = '409 RESERVATION.OVERBOOKING_BLOCKED'

let environment: TestEnvironment
let processes: SandboxProcess[]

beforeAll(async () => {
  environment = await sandboxEnvironment()
  processes = await Promise.all([1, 2, 3].map(() => spawnSandbox(environment)))
})

afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill()))
  await environment[Symbol.asyncDispose]()
})

describe('the last room, sold by three processes', () => {
  it('HOLD-01 a thousand times, each time to one of 200', { timeout: 3_600_000 }, async () => {
    const urls = processes.map(({ url }) => url)
    const slow: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { responses, latenciesMs } = await raceForRooms(environment, urls, {
        buyers: BUYERS,
        rooms: 1,
      })
      expect(tally(responses), `round ${round}`).toEqual({ 201: 1, [BLOCKED]: BUYERS - 1 })
      slow.push(percentile(latenciesMs, 0.95))
      if (round % 100 === 0) {
        note(`HOLD-01 ${round} rounds: median of p95 ${percentile(slow, 0.5)} ms`)
      }
    }
    expect(await reconcile(environment)).toEqual([])
  })
})
