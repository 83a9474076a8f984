import { repeatAfter, runUntilStopped, type WorkSource } from '@melmastoon/chassis/concurrency'
import type { Worker } from '../../module.ts'
import { CHANGES_TOPIC } from './change-sql.ts'
import type { IndexUpdater } from './index/index-updater.ts'

/** The maximum delay of changes by other processes that are not announced. */
const REFRESH_MS = 250

/** Loads the index, then polls the tables for changes; an outage only delays it. */
export async function startRefreshing(
  updater: IndexUpdater,
  source: WorkSource,
  onError: (error: unknown) => void,
): Promise<Worker> {
  await updater.refresh()
  const refresh = () => updater.refresh()
  const announced = { source, topic: CHANGES_TOPIC }
  return runUntilStopped((signal) =>
    repeatAfter(REFRESH_MS, refresh, { announced, signal, onError }),
  )
}
