import { pause } from '@melmastoon/chassis/clock'

export interface RepeatOptions {
  readonly pollMs: number
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
}

/** Runs until stopped, with a pause after each run that found nothing or failed. */
export async function repeat(run: () => Promise<number>, options: RepeatOptions): Promise<void> {
  const { pollMs, signal, onError } = options
  while (!signal.aborted) {
    const found = await run().catch((error: unknown) => {
      onError(error)
      return 0
    })
    if (found === 0) await pause(pollMs, signal)
  }
}
