import fc from 'fast-check'
import { InvariantViolation } from '../environment/simulation.ts'
import { arbitraryHistory } from './arbitrary-history.ts'
import { type HistoryOptions, runHistory } from './run-history.ts'

export interface Found {
  /** The number of the history that shows it. */
  readonly no: number
  readonly message: string
}

/** The first of so many random histories that violates an invariant, or does not come to an end. */
export async function findViolation(
  options: HistoryOptions,
  historiesMax: number,
): Promise<Found | null> {
  const histories = fc.sample(arbitraryHistory(), { numRuns: historiesMax, seed: 3 })
  for (const [index, history] of histories.entries()) {
    try {
      await runHistory(history, options)
    } catch (error) {
      if (!(error instanceof InvariantViolation || error instanceof RangeError)) throw error
      return { no: index + 1, message: error.message }
    }
  }
  return null
}
