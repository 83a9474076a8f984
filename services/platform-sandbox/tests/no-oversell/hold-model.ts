import type { StayDates } from '@melmastoon/domain'
import fc from 'fast-check'
import type { TestEnvironment, TestResponse } from '../start-sandbox.ts'
import { type Hotel, openHotel, placeHold, post, setExpiry, settleHold } from './hotel.ts'
import { createSweeper } from './sweep.ts'

/** One step of the model; `which` selects one of the existing holds. */
export type Step =
  | {
      readonly kind: 'hold'
      readonly from: number
      readonly nights: number
      readonly rooms: number
    }
  | { readonly kind: 'commit' | 'release' | 'extend' | 'expire'; readonly which: number }
  | { readonly kind: 'capacity'; readonly from: number; readonly capacity: number }
  | { readonly kind: 'sweep' }

const which = fc.nat({ max: 20 })

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      from: fc.nat({ max: 4 }),
      nights: fc.integer({ min: 1, max: 3 }),
      rooms: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'commit' as const,
        'release' as const,
        'extend' as const,
        'expire' as const,
      ),
      which,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('capacity' as const),
      from: fc.nat({ max: 6 }),
      capacity: fc.nat({ max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
)

/** Rounds of steps; the steps of one round run concurrently. */
export const anyRounds = fc.array(fc.array(anyStep, { minLength: 2, maxLength: 7 }), {
  minLength: 2,
  maxLength: 5,
})

export interface Played {
  readonly hotel: Hotel
  readonly holds: readonly Hold[]
  readonly responses: readonly TestResponse[]
}

export interface Hold {
  readonly allocationId: string
  readonly stay: StayDates
  readonly rooms: number
  /** How often each change succeeded. */
  readonly done: { commit: number; release: number; extend: number }
}

const FIRST_DAY = 100

/** Runs the rounds against a hotel of two rooms; `check` runs after each. */
export async function playRounds(
  { environment, url }: { environment: TestEnvironment; url: string },
  rounds: readonly (readonly Step[])[],
  check: (played: Played) => Promise<void>,
): Promise<void> {
  const hotel = await openHotel(environment, { rooms: [2] })
  const holds: Hold[] = []
  const responses: TestResponse[] = []
  for (const round of rounds) {
    const known = [...holds]
    const play = (step: Step) => playStep({ environment, url, hotel, known, holds }, step)
    responses.push(...(await Promise.all(round.map(play))).filter((response) => response !== null))
    await check({ hotel, holds, responses })
  }
}

interface Game {
  readonly environment: TestEnvironment
  readonly url: string
  readonly hotel: Hotel
  readonly known: readonly Hold[]
  readonly holds: Hold[]
}

async function playStep(game: Game, step: Step): Promise<TestResponse | null> {
  const { environment, url, hotel, known, holds } = game
  const day = (offset: number) => hotel.day(FIRST_DAY + offset)
  switch (step.kind) {
    case 'hold': {
      const { rooms } = step
      const stay = { checkIn: day(step.from), checkOut: day(step.from + step.nights) }
      const placed = await placeHold(url, hotel, { stay, rooms })
      if (placed.status === 201) {
        const allocationId = String(placed.body['allocationId'])
        holds.push({ allocationId, stay, rooms, done: { commit: 0, release: 0, extend: 0 } })
      }
      return placed
    }
    case 'capacity': {
      const path = `/inventory/room-types/${String(hotel.roomTypeIds[0])}/capacity`
      const { capacity, from } = step
      return post(url, hotel, path, { json: { from: day(from), to: day(from + 2), capacity } })
    }
    case 'sweep': {
      await using sweeper = createSweeper(environment)
      await sweeper.sweep()
      return null
    }
    case 'commit':
    case 'release':
    case 'extend':
    case 'expire': {
      const hold = known[step.which % Math.max(1, known.length)]
      if (hold === undefined) return null
      const { allocationId } = hold
      if (step.kind === 'expire') {
        await setExpiry(environment, [allocationId], -1)
        return null
      }
      const response = await settleHold(url, hotel, { allocationId, how: step.kind })
      if (response.status === 200) hold.done[step.kind] += 1
      return response
    }
  }
}
