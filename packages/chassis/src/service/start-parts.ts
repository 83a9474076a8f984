import { type App, serve } from '../http/index.ts'
import type { Consumer } from '../inbox/index.ts'
import { type JobHost, scheduleJobs } from '../jobs/index.ts'
import type { RunningService, StopPhase } from '../lifecycle/index.ts'
import type { Relay } from '../outbox/index.ts'
import type { Worker } from './service-definition.ts'

export interface ServiceParts {
  readonly config: {
    readonly port: number
    readonly host: string
    readonly internalPort: number
    readonly internalHost: string
    readonly shutdownMs: number
    readonly jobSchedules: 'on' | 'off'
  }
  readonly app: App
  readonly internalApp: App
  readonly relay: Relay
  readonly consumer: Consumer | null
  readonly jobs: JobHost
  readonly startWorkers: () => Promise<readonly Worker[]>
  /** Closed last, when nothing uses them. */
  readonly connections: AsyncDisposable
  readonly announceMs?: number | undefined
}

export type StartedService = RunningService & { url: string; internalUrl: string }

/**
 * The time limit of each phase of the shutdown after the listeners; all together end by
 * `shutdownMs`. Relay and consumer receive theirs when they are created.
 */
export const STOP_MS = {
  jobs: 500,
  workers: 1_000,
  consumer: 1_000,
  relay: 1_000,
  connections: 1_000,
} as const
const GRACE_MS = 200

/** Starts background work before the listeners, so that no request reaches a partial service. */
export async function startParts(parts: ServiceParts): Promise<StartedService> {
  const { config, relay, consumer, jobs, announceMs } = parts
  relay.start()
  const workers = await parts.startWorkers()
  await consumer?.start()
  const schedule = config.jobSchedules === 'on' ? scheduleJobs(jobs) : null
  const { port, host, internalPort, internalHost, shutdownMs } = config
  const internal = await serve(parts.internalApp, {
    port: internalPort,
    host: internalHost,
    announceMs: 0,
  })
  const announcing = announceMs === undefined ? {} : { announceMs }
  const serving = await serve(parts.app, { port, host, ...announcing })
  const stopWorkers = async () =>
    void (await Promise.allSettled(workers.map((worker) => worker.stop())))
  const stopPhases: StopPhase[] = [
    serving.stopPhase,
    internal.stopPhase,
    { name: 'jobs', timeoutMs: STOP_MS.jobs, run: async () => schedule?.stop() },
    { name: 'workers', timeoutMs: STOP_MS.workers, run: stopWorkers },
    { name: 'consumer', timeoutMs: STOP_MS.consumer + GRACE_MS, run: async () => consumer?.stop() },
    { name: 'relay', timeoutMs: STOP_MS.relay + GRACE_MS, run: () => relay.stop() },
    {
      name: 'connections',
      timeoutMs: STOP_MS.connections,
      run: async () => parts.connections[Symbol.asyncDispose](),
    },
  ]
  return {
    stopPhases,
    shutdownMs,
    logger: jobs.logger,
    url: serving.url,
    internalUrl: internal.url,
  }
}
