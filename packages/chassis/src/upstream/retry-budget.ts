/**
 * Retries may add at most a tenth to the traffic, whatever breaks: a service that is down must not
 * be met with twice the load. Every first try earns a tenth of a retry, up to a small reserve.
 */
const EARNED_PER_CALL = 0.1
const RESERVE_MAX = 10

export interface RetryBudget {
  earn(): void
  spend(): boolean
}

export function createRetryBudget(): RetryBudget {
  let reserve = RESERVE_MAX
  return {
    earn() {
      reserve = Math.min(RESERVE_MAX, reserve + EARNED_PER_CALL)
    },
    spend() {
      if (reserve < 1) return false
      reserve -= 1
      return true
    },
  }
}
