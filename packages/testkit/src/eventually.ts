import { setTimeout as sleep } from 'node:timers/promises'

export interface EventuallyOptions {
  readonly timeoutMs?: number
  readonly intervalMs?: number
}

/** Repeats an assertion until it passes; after the timeout its last failure is thrown. */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<T> {
  const endsAtMs = performance.now() + (options.timeoutMs ?? 5_000)
  for (;;) {
    try {
      return await assertion()
    } catch (error) {
      if (performance.now() >= endsAtMs) throw error
    }
    await sleep(options.intervalMs ?? 15)
  }
}
