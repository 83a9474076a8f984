import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, spawnChild } from './child-process.ts'
import type { StartError } from './messages.ts'
import { diedEarly, gaveUp, notReady } from './messages.ts'
import { probeReady } from './probe-ready.ts'
import { createRestartPolicy, type RestartLimits } from './restart-policy.ts'
import type { RunRecord } from './run-record.ts'
import type { ServiceLog } from './service-log.ts'
import type { ServiceSpec } from './service-spec.ts'

export interface ServiceProcess {
  readonly name: string
  /** Resolves when /health/ready returns 200. */
  start(): Promise<void>
  stop(graceMs: number): Promise<void>
}

export interface ServiceProcessOptions {
  spec: ServiceSpec
  port: number
  env: Record<string, string>
  log: ServiceLog
  record: RunRecord
  signal: AbortSignal
  readyTimeoutMs: number
  restartLimits?: RestartLimits
  onRestart(name: string, how: string, delayMs: number): void
  onGiveUp(error: StartError): void
}

const SHOWN_LINES = 15

/**
 * starting → ready → (ended → waiting → starting)… → stopped. The first start must succeed;
 * afterwards the process is restarted with increasing delays, up to the limit.
 */
export function createServiceProcess(options: ServiceProcessOptions): ServiceProcess {
  const { spec, log, record } = options
  const policy = createRestartPolicy(options.restartLimits)
  const stopping = new AbortController()
  const cancelled = AbortSignal.any([options.signal, stopping.signal])
  let current: Child | null = null
  let watching: Promise<void> = Promise.resolve()

  const launch = (): Child => {
    const { entry: program, folder } = spec
    current = spawnChild({
      program,
      folder,
      env: options.env,
      onOutput: (chunk) => log.write(chunk),
    })
    const { pid, ended } = current
    record.add(pid)
    void ended.then(() => record.remove(pid))
    return current
  }

  const restart = async (how: string, ranMs: number): Promise<Child | null> => {
    const delayMs = policy.next(ranMs)
    if (delayMs === null) {
      options.onGiveUp(gaveUp(spec.name, policy.restarts(), excerpt(log)))
      return null
    }
    options.onRestart(spec.name, how, delayMs)
    await sleep(delayMs, undefined, { signal: cancelled }).catch(() => undefined)
    return cancelled.aborted ? null : launch()
  }

  const watch = async (first: Child): Promise<void> => {
    let child: Child | null = first
    while (child !== null) {
      const startedAt = performance.now()
      const how: string = await child.ended
      child = cancelled.aborted ? null : await restart(how, performance.now() - startedAt)
    }
  }

  return {
    name: spec.name,
    async start() {
      cancelled.throwIfAborted()
      const child = launch()
      await waitUntilReady(child, options, cancelled)
      watching = watch(child)
    },
    async stop(graceMs) {
      stopping.abort()
      await current?.stop(graceMs)
      await watching
      await log.close()
    },
  }
}

async function waitUntilReady(
  child: Child,
  options: ServiceProcessOptions,
  cancelled: AbortSignal,
): Promise<void> {
  const { spec, port, log, readyTimeoutMs } = options
  const startedAt = performance.now()
  for (;;) {
    const { ready, status } = await probeReady(port)
    cancelled.throwIfAborted()
    if (child.hasEnded()) throw diedEarly(spec.name, await child.ended, excerpt(log))
    if (ready) return
    const waitedMs = performance.now() - startedAt
    if (waitedMs > readyTimeoutMs) {
      throw notReady(
        spec.name,
        { seconds: Math.round(readyTimeoutMs / 1000), status },
        excerpt(log),
      )
    }
    await sleep(waitedMs < 2000 ? 25 : 200)
  }
}

function excerpt(log: ServiceLog) {
  return { file: log.file, lines: log.lastLines(SHOWN_LINES) }
}
