import { repeatAfter, runUntilStopped } from '@melmastoon/chassis/concurrency'
import type { Worker } from '../../module.ts'
import type { IndexUpdater } from './index/index-updater.ts'

/** The maximum delay of changes by other processes. */
const REFRESH_MS = 250

/** Loads the index, then polls the tables for changes; an outage only delays it. */
export async function startRefreshing(
  updater: IndexUpdater,
  onError: (error: unknown) => void,
): Promise<Worker> {
  await updater.refresh()
  const refresh = () => updater.refresh()
  return runUntilStopped((signal) => repeatAfter(REFRESH_MS, refresh, { signal, onError }))
}
