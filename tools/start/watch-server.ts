import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '@melmastoon/one-machine'
import { createRestartPolicy } from './restart-policy.ts'
import type { Server } from './servers.ts'

export interface ServerWatch {
  end(): Promise<void>
}

export interface ServerWatchOptions {
  server: Server
  onRestart(name: string): void
  onGiveUp(name: string, reason: string): void
  everyMs?: number
}

const LOOK_EVERY_MS = 1_000

/** Restarts a server that has exited, as a service manager would. */
export function watchServer(options: ServerWatchOptions): ServerWatch {
  const over = new AbortController()
  const watching = watch(options, over.signal)
  return {
    async end() {
      over.abort()
      await watching
    },
  }
}

async function watch(options: ServerWatchOptions, signal: AbortSignal): Promise<void> {
  const { name, instance } = options.server
  const policy = createRestartPolicy()
  let startedAt = performance.now()
  let reason = 'it exits repeatedly'
  while (await pause(options.everyMs ?? LOOK_EVERY_MS, signal)) {
    if (isAlive(instance.pid)) continue
    const delayMs = policy.next(performance.now() - startedAt)
    if (delayMs === null) return options.onGiveUp(name, reason)
    options.onRestart(name)
    if (!(await pause(delayMs, signal))) return
    startedAt = performance.now()
    await instance.restart().catch((error: Error) => {
      reason = error.message
    })
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
  return !signal.aborted
}
