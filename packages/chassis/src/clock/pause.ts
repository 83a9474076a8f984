import { setTimeout as delay } from 'node:timers/promises'

/** The end of the signal ends the pause early and is no error: callers look at the signal next. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await delay(durationMs, undefined, { signal }).catch(() => undefined)
}
