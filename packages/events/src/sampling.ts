import { hash } from 'node:crypto'

/**
 * Deterministic: the same key is always in or always out, and a higher rate only adds keys, so a
 * funnel contains all steps of a session or none.
 */
export function isSampled(rate: number, subject: string, key: string): boolean {
  if (rate >= 1) return true
  if (!(rate > 0)) return false
  const digest = hash('sha256', `${subject}\n${key}`, 'buffer')
  return digest.readUInt32BE(0) / 2 ** 32 < rate
}

/**
 * A rate of the flags applies only when it is between 0 and 1; any other value leaves the default.
 */
export function overriddenRate(defaultRate: number, override: unknown): number {
  const isShare = typeof override === 'number' && override >= 0 && override <= 1
  return isShare ? override : defaultRate
}
