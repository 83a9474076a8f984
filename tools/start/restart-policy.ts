export interface RestartPolicy {
  /** The delay before the next start, or null after too many restarts. */
  next(ranMs: number): number | null
  restarts(): number
}

export interface RestartLimits {
  maxRestarts: number
  firstDelayMs: number
  maxDelayMs: number
  /** A run of this duration resets the policy. */
  healthyMs: number
}

export const RESTART_LIMITS: RestartLimits = {
  maxRestarts: 5,
  firstDelayMs: 250,
  maxDelayMs: 8000,
  healthyMs: 60_000,
}

export function createRestartPolicy(limits: RestartLimits = RESTART_LIMITS): RestartPolicy {
  let restarts = 0
  return {
    restarts: () => restarts,
    next(ranMs) {
      if (ranMs >= limits.healthyMs) restarts = 0
      if (restarts >= limits.maxRestarts) return null
      restarts += 1
      return Math.min(limits.firstDelayMs * 2 ** (restarts - 1), limits.maxDelayMs)
    },
  }
}
