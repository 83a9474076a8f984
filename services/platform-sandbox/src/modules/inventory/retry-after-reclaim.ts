import type { Blockers } from './expiry-sql.ts'
import { HoldRejected } from './hold-rejected.ts'

/** The second settles every race but one that is lost again and again. */
const ROUNDS_MAX = 4

/**
 * Runs a transaction that takes rooms; where holds whose time is over stood in its way, ends them
 * and runs it again. They are ended in a transaction of their own: giving back after taking would
 * lock nights before allocations, against the order that everybody keeps.
 */
export async function retryAfterReclaim<T>(
  reclaim: (blockers: Blockers) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HoldRejected) || round === ROUNDS_MAX) throw error
      const { remedy, blockers } = error.refusal
      if (remedy === 'never') throw error
      if (remedy === 'reclaim') await reclaim(blockers)
    }
  }
}
