import { hash } from 'node:crypto'

/**
 * Deterministic: the same key is always in or always out, and raising the rate only adds keys, so a
 * funnel keeps all steps of a session or none.
 */
export function isSampled(rate: number, subject: string, key: string): boolean {
  if (rate >= 1) return true
  if (!(rate > 0)) return false
  const digest = hash('sha256', `${subject}\n${key}`, 'buffer')
  return digest.readUInt32BE(0) / 2 ** 32 < rate
}

/** A rate from the flags counts only when it is a share; garbage leaves the default in force. */
export function overriddenRate(defaultRate: number, override: unknown): number {
  const isShare = typeof override === 'number' && override >= 0 && override <= 1
  return isShare ? override : defaultRate
}
