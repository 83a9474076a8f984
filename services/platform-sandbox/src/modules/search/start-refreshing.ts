import type { Worker } from '../../module.ts'
import type { IndexUpdater } from './index/index-updater.ts'

/** How late another process's change may be seen here. */
const REFRESH_MS = 250

/** Loads the index, then compares it with the tables again and again; an outage only delays it. */
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
