import { pause } from '@melmastoon/chassis/clock'
import type { ModuleHost, Worker } from '../../module.ts'
import { type ExpiryOptions, sweepHolds } from './expire-holds.ts'

const EVERY_MS = 5_000

/**
 * Runs in every instance: rooms must be released even if an instance with a lease has stopped.
 * Concurrent sweepers do not conflict (HOLD-08).
 */
export async function startSweeper(host: ModuleHost, options: ExpiryOptions): Promise<Worker> {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = run(host, { ...options, signal })
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
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
