import type { ReplayStore } from '@melmastoon/security'
import { type Clock, systemClock } from '../clock/index.ts'

/** At the bound the oldest keys are dropped: suitable for one process and tests only. */
const KEYS_MAX = 100_000

export function createReplayStoreMemory(clock: Clock = systemClock): ReplayStore {
  const seenUntilMs = new Map<string, number>()
  return {
    claim(key, ttlMs) {
      const nowMs = clock.monotonicMs()
      const isFirst = (seenUntilMs.get(key) ?? 0) <= nowMs
      if (isFirst) {
        seenUntilMs.delete(key)
        seenUntilMs.set(key, nowMs + ttlMs)
        if (seenUntilMs.size > KEYS_MAX) forgetOldest(seenUntilMs)
      }
      return Promise.resolve(isFirst)
    },
  }
}

function forgetOldest(seenUntilMs: Map<string, number>): void {
  const [oldest] = seenUntilMs.keys()
  if (oldest !== undefined) seenUntilMs.delete(oldest)
}
