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
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let isStopped = false
  const wait = () => {
    timer = setTimeout(() => {
      running = updater.refresh().catch(onError).finally(again)
    }, REFRESH_MS)
  }
  const again = () => {
    if (!isStopped) wait()
  }
  wait()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
