import type { ServiceProcess } from '@melmastoon/testkit'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Guest } from '../harness/site.ts'
import { type Booking, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { hotelOf } from '../harness/stays.ts'
import { createGuests, percentile, raceForRooms, tally } from './race-for-rooms.ts'

const GUESTS = 200
const ROUNDS = 20
const SOLD_OUT = '409 BFF.TENANT.SOLD_OUT'

let booking: Booking
let hotel: PropertyDetail
let processes: ServiceProcess[]

beforeAll(async () => {
  booking = await startWithSandbox()
  hotel = await hotelOf(booking, SLUG)
  processes = []
  for (let count = 0; count < 3; count += 1) processes.push(await booking.spawnAnother())
}, 300_000)
afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill()))
  await booking[Symbol.asyncDispose]()
})

/** Sessions without holds: their number per session is limited. */
async function race(rooms: number) {
  const guests: Guest[] = await createGuests(booking, GUESTS)
  const urls = processes.map(({ url }) => url)
  return await raceForRooms(booking, { hotel, guests, rooms, urls, atOnce: GUESTS, repeats: 100 })
}

/** A busy machine may exceed the time limits of upstreams; no guest is left without an outcome. */
function note(round: number, repeated: Readonly<Record<string, number>>): void {
  const unexpected = Object.keys(repeated).filter((name) => name.startsWith('500'))
  expect(unexpected).toEqual([])
  if (Object.keys(repeated).length === 0) return
  process.stdout.write(`round ${round}: repeated ${JSON.stringify(repeated)}\n`)
}

describe('200 guests at once, served by three processes', () => {
  it('HOLD-01 one gets the last room, every time', { timeout: 1_200_000 }, async () => {
    const slow: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { responses, latenciesMs, repeated } = await race(1)
      note(round, repeated)
      expect(tally(responses), `round ${round}`).toEqual({ 201: 1, [SOLD_OUT]: GUESTS - 1 })
      slow.push(percentile(latenciesMs, 0.95))
    }
    process.stdout.write(`HOLD-01 ${ROUNDS} rounds: median of p95 ${percentile(slow, 0.5)} ms\n`)
  })

  it.each([0, 1, 2, 10, 199, 200])(
    'HOLD-02 with %i rooms as many succeed',
    { timeout: 300_000 },
    async (rooms) => {
      const { responses, repeated } = await race(rooms)
      note(rooms, repeated)
      const { 201: winners = 0, [SOLD_OUT]: losers = 0, ...others } = tally(responses)
      expect([winners, losers, others]).toEqual([rooms, GUESTS - rooms, {}])
    },
  )
})
