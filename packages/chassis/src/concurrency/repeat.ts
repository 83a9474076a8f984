import { type Announced, IdlePause } from './idle-pause.ts'

export interface LoopOptions {
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
  /** How new work is reported; the worker then polls slowly while there is none. */
  readonly announced?: Announced
}

export interface RepeatOptions extends LoopOptions {
  readonly pollMs: number
  /** A run that found fewer found everything that was due. */
  readonly full?: number
}

/** Runs until stopped, with a pause after each run that found less than a full batch or failed. */
export async function repeat(run: () => Promise<number>, options: RepeatOptions): Promise<void> {
  const { pollMs, full = 1, signal, onError, announced } = options
  using idle = new IdlePause(pollMs, announced)
  while (!signal.aborted) {
    const found = await run().catch((error: unknown) => {
      onError(error)
      return 0
    })
    if (found > 0) idle.extend()
    if (found < full) await idle.wait(signal)
  }
}

/** Runs until stopped, with a pause before each run: a start is not slowed down. */
export async function repeatAfter(
  pauseMs: number,
  run: () => Promise<unknown>,
  { signal, onError, announced }: LoopOptions,
): Promise<void> {
  using idle = new IdlePause(pauseMs, announced)
  while (!signal.aborted) {
    await idle.wait(signal)
    if (!signal.aborted) await run().catch(onError)
  }
}

/** Starts work that goes on until its signal ends. `stop` waits for what is running. */
export function runUntilStopped(work: (signal: AbortSignal) => Promise<unknown>): {
  stop(): Promise<void>
} {
  const stopping = new AbortController()
  const running = work(stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
