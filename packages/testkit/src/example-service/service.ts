import { type App, serve } from '@melmastoon/chassis/http'
import { type Consumer, createConsumer } from '@melmastoon/chassis/inbox'
import { scheduleJobs } from '@melmastoon/chassis/jobs'
import type { RunningService, StopPhase } from '@melmastoon/chassis/lifecycle'
import { createRelay, type Relay } from '@melmastoon/chassis/outbox'
import { consumerMetrics, relayMetrics } from '@melmastoon/chassis/telemetry'
import type { ExampleConfig } from './config.ts'
import { type ContextOverrides, createContext, type ExampleContext } from './context.ts'
import { notePlaced } from './events.ts'
import { buildExampleApp, buildInternalApp } from './http/app.ts'
import { jobHost } from './jobs.ts'
import { countNotes } from './notes/count-notes.ts'

/**
 * What each part may take of the shutdown, after the listeners; all together end by `shutdownMs`.
 */
const STOP_MS = { jobs: 500, consumer: 1_000, relay: 1_000, connections: 500 }

export interface ExampleService {
  ctx: ExampleContext
  app: App
  internalApp: App
  relay: Relay
  consumer: Consumer
  start(): Promise<RunningService & { url: string; internalUrl: string }>
}

export async function createExampleService(
  config: ExampleConfig,
  overrides: ContextOverrides = {},
): Promise<ExampleService> {
  const ctx = createContext(config, overrides)
  const app = await buildExampleApp(ctx)
  const internalApp = await buildInternalApp(ctx)
  const relay = createExampleRelay(ctx)
  const consumer = createExampleConsumer(ctx)
  return {
    ctx,
    app,
    internalApp,
    relay,
    consumer,
    async start() {
      relay.start()
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
        { name: 'consumer', timeoutMs: STOP_MS.consumer + 200, run: () => consumer.stop() },
        { name: 'relay', timeoutMs: STOP_MS.relay + 200, run: () => relay.stop() },
        {
          name: 'connections',
          timeoutMs: STOP_MS.connections,
          run: async () => ctx[Symbol.asyncDispose](),
        },
      ]
      const { shutdownMs } = config
      return {
        stopPhases,
        shutdownMs,
        logger: ctx.logger,
        url: serving.url,
        internalUrl: internal.url,
      }
    },
  }
}

function createExampleRelay(ctx: ExampleContext): Relay {
  return createRelay({
    db: ctx.relayDb,
    bus: ctx.bus,
    owner: ctx.config.instance,
    leaseSeconds: ctx.config.relayLeaseSeconds,
    validate: (message) => ctx.registry.validate(message),
    stopMs: STOP_MS.relay,
    metrics: relayMetrics(ctx.metrics),
    onError: ctx.onError,
  })
}

function createExampleConsumer(ctx: ExampleContext): Consumer {
  return createConsumer({
    db: ctx.db,
    bus: ctx.bus,
    registry: ctx.registry,
    subscription: ctx.config.service,
    ackDeadlineMs: ctx.config.ackDeadlineMs,
    drainMs: STOP_MS.consumer,
    handlers: { [notePlaced.subject]: countNotes(ctx.cache) },
    metrics: consumerMetrics(ctx.metrics),
    onError: ctx.onError,
    tracer: ctx.tracer,
  })
}
