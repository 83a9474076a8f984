import { type App, serve } from '@melmastoon/chassis/http'
import { createConsumer } from '@melmastoon/chassis/inbox'
import { scheduleJobs } from '@melmastoon/chassis/jobs'
import type { RunningService, StopPhase } from '@melmastoon/chassis/lifecycle'
import { createRelay } from '@melmastoon/chassis/outbox'
import { consumerMetrics, relayMetrics } from '@melmastoon/chassis/telemetry'
import type { SandboxConfig } from './config.ts'
import { createContext, type SandboxContext } from './context.ts'
import { buildInternalApp, buildSandboxApp } from './http/app.ts'
import { jobHost } from './jobs.ts'
import { mergeSubscriptions } from './merge-subscriptions.ts'
import { servedModules } from './modules.ts'

/** What each part may take of the shutdown, after the listeners. */
const STOP_MS = { jobs: 500, workers: 1_000, consumer: 1_000, relay: 1_000, connections: 500 }
/** A handler may read of two other modules beside its transaction: three connections each. */
const CONSUMER_IN_FLIGHT_MAX = 8

export interface Sandbox {
  ctx: SandboxContext
  app: App
  start(): Promise<RunningService & { url: string; internalUrl: string }>
}

export async function createSandbox(config: SandboxConfig): Promise<Sandbox> {
  const ctx = createContext(config)
  const app = await buildSandboxApp(ctx)
  const internalApp = await buildInternalApp(ctx)
  const relay = createSandboxRelay(ctx)
  const consumer = createSandboxConsumer(ctx)
  return {
    ctx,
    app,
    async start() {
      await ctx.scenarios.start()
      relay.start()
      const workers = await startWorkers(ctx)
      await consumer.start()
      const host = jobHost(ctx.relayDb, config.instance, ctx.logger)
      const schedule = config.jobSchedules === 'on' ? scheduleJobs(host) : null
      const internal = await serve(internalApp, {
        port: config.internalPort,
        host: config.internalHost,
        announceMs: 0,
      })
      const serving = await serve(app, { port: config.port, host: config.host })
      const stopPhases: StopPhase[] = [
        serving.stopPhase,
        internal.stopPhase,
        { name: 'jobs', timeoutMs: STOP_MS.jobs, run: async () => schedule?.stop() },
        { name: 'workers', timeoutMs: STOP_MS.workers, run: () => stopAll(workers) },
        { name: 'consumer', timeoutMs: STOP_MS.consumer + 200, run: () => consumer.stop() },
        { name: 'relay', timeoutMs: STOP_MS.relay + 200, run: () => relay.stop() },
        {
          name: 'connections',
          timeoutMs: STOP_MS.connections,
          run: async () => ctx[Symbol.asyncDispose](),
        },
      ]
      const { shutdownMs } = config
      const { logger } = ctx
      return { stopPhases, shutdownMs, logger, url: serving.url, internalUrl: internal.url }
    },
  }
}

function createSandboxRelay(ctx: SandboxContext) {
  return createRelay({
    db: ctx.relayDb,
    bus: ctx.bus,
    owner: ctx.config.instance,
    validate: (message) => ctx.registry.validate(message),
    stopMs: STOP_MS.relay,
    metrics: relayMetrics(ctx.metrics),
    onError: ctx.onError,
  })
}

/** The platform's services listen to each other as the product listens to them. */
function createSandboxConsumer(ctx: SandboxContext) {
  return createConsumer({
    db: ctx.db,
    bus: ctx.bus,
    registry: ctx.registry,
    subscription: ctx.config.service,
    maxInFlight: CONSUMER_IN_FLIGHT_MAX,
    drainMs: STOP_MS.consumer,
    handlers: mergeSubscriptions(servedModules(ctx.modules)),
    metrics: consumerMetrics(ctx.metrics),
    onError: ctx.onError,
    tracer: ctx.tracer,
  })
}

async function startWorkers(ctx: SandboxContext) {
  return await Promise.all(servedModules(ctx.modules).flatMap((module) => module.start?.() ?? []))
}

async function stopAll(workers: readonly { stop(): Promise<void> }[]): Promise<void> {
  await Promise.allSettled(workers.map((worker) => worker.stop()))
}
