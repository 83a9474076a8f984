import type { Decisions } from '../decisions.ts'
import { replayedDecisions } from '../decisions.ts'
import { Simulation, type SimulationOptions } from '../environment/simulation.ts'
import { actionOf } from './actions.ts'
import { Guest } from './guest.ts'

/** One thing that happens: what, by which guest, a variant, and how long until the next. */
export type ActionChoice = readonly [kind: number, guest: number, detail: number, delay: number]

/** Everything that decides how a simulation goes: equal histories have equal traces. */
export interface History {
  readonly guests: number
  readonly rooms: number
  readonly actions: readonly ActionChoice[]
  /** The order of tasks, faults, crashes and delays; zeros after its end: none of them. */
  readonly schedule: readonly number[]
}

const DELAYS_MS = [
  50, 0, 5, 20, 50, 100, 200, 200, 400, 400, 1_000, 1_000, 1_000, 3_000, 3_000, 3_000, 8_000, 8_000,
  20_000, 60_000, 300_000, 540_000, 660_000, 1_860_000,
]

export type HistoryOptions = Omit<SimulationOptions, 'decisions' | 'capacity'>

export const FAULTY = { crashOneIn: 40, faultOneIn: 8, pauseOneIn: 25 } as const

/** @throws InvariantViolation */
export async function runHistory(history: History, options: HistoryOptions): Promise<Simulation> {
  await options.store.reset()
  const decisions: Decisions = replayedDecisions(history.schedule)
  const simulation = new Simulation({
    ...FAULTY,
    ...options,
    decisions,
    capacity: 1 + (history.rooms % 2),
  })
  await guardTrace(simulation, async () => {
    const guests = Array.from({ length: 1 + (history.guests % 3) }, () => new Guest(simulation))
    await prepare(simulation, guests)
    for (const [kind, who, detail, delay] of history.actions) {
      const guest = guests[who % guests.length]
      if (guest === undefined) throw new TypeError('no guests')
      const { name, perform } = actionOf(kind)
      simulation.note(`${name} (guest ${who % guests.length}, ${detail})`)
      perform({ simulation, guest, detail })
      await simulation.scheduler.runFor(DELAYS_MS[delay % DELAYS_MS.length] ?? 0)
    }
    await simulation.drain()
  })
  return simulation
}

/** The first guest has rooms and has given details: most of what matters comes after that. */
async function prepare(simulation: Simulation, [first]: readonly Guest[]): Promise<void> {
  simulation.isCalm = true
  for (const step of [0, 1]) {
    first?.next(step)
    await simulation.scheduler.runFor(200)
  }
  simulation.isCalm = false
}

/** A failure shows what happened: the tasks, and the actions between them. */
async function guardTrace(simulation: Simulation, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (error instanceof Error) error.message += `\n${simulation.story()}`
    throw error
  }
}
