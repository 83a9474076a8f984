import type { LockControls } from './lock-deps.ts'

const FIRST_LOOK_MS = 10_000
const LAST_LOOK_MS = 5 * 60_000
const FOLLOW_UP_MS = 10_000

/** Longer than the deadline of a request (10 s) and of a look (8 s), which begin before it. */
export const LEASE_MS = 12_000
export const ALERT_AFTER_SECONDS = 30 * 60
export const MANUAL_AFTER_SECONDS = 24 * 3_600

/** 10 seconds, doubled with every look, up to 5 minutes. */
export function nextLookMs({ firstLookMs = FIRST_LOOK_MS }: LockControls, tries: number): number {
  return Math.min(firstLookMs * 2 ** Math.min(tries, 16), LAST_LOOK_MS)
}

export function followUpMs(controls: LockControls): number {
  return controls.followUpMs ?? FOLLOW_UP_MS
}
