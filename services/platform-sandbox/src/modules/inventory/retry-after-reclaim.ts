import type { Blockers } from './expiry-sql.ts'
import { HoldRejected } from './hold-rejected.ts'

/** The second attempt resolves every race except one that is lost repeatedly. */
const ROUNDS_MAX = 4

/**
 * Runs a transaction that takes rooms; when expired holds blocked it, expires them and runs it
 * again. They are expired in a separate transaction: releasing after taking would lock nights
 * before allocations, against the lock order.
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
      const { remedy, blockers } = error.rejection
      if (remedy === 'never') throw error
      if (remedy === 'reclaim') await reclaim(blockers)
    }
  }
}
