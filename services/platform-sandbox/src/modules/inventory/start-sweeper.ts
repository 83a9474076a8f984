import { pause } from '@melmastoon/chassis/clock'
import { runUntilStopped } from '@melmastoon/chassis/concurrency'
import type { ModuleHost, Worker } from '../../module.ts'
import { type ExpiryOptions, sweepHolds } from './expire-holds.ts'

const EVERY_MS = 5_000

/**
 * Runs in every instance: rooms must be released even if an instance with a lease has stopped.
 * Concurrent sweepers do not conflict (HOLD-08).
 */
export async function startSweeper(host: ModuleHost, options: ExpiryOptions): Promise<Worker> {
  return runUntilStopped((signal) => run(host, { ...options, signal }))
}

async function run(
  { relayDb, logger }: ModuleHost,
  options: ExpiryOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { signal } = options
  while (!signal.aborted) {
    try {
      await sweepHolds(relayDb, options)
    } catch (error) {
      if (!signal.aborted)
        logger.warn({ error, event: 'sweep_failed' }, 'expired holds were not released')
    }
    await pause(EVERY_MS, signal)
  }
}
