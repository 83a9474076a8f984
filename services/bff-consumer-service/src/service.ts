import { type App, serve } from '@melmastoon/chassis/http'
import { type Consumer, createConsumer } from '@melmastoon/chassis/inbox'
import { scheduleJobs } from '@melmastoon/chassis/jobs'
import type { RunningService, StopPhase } from '@melmastoon/chassis/lifecycle'
import { createRelay, type Relay } from '@melmastoon/chassis/outbox'
import { consumerMetrics, relayMetrics } from '@melmastoon/chassis/telemetry'
import type { ConsumerConfig } from './config.ts'
import { type ConsumerContext, type ContextOverrides, createContext } from './context.ts'
import { buildConsumerApp, buildInternalApp } from './http/app.ts'
import { jobHost } from './jobs.ts'
import { ALIASES, createHandlers, inboundRegistry } from './subscriptions.ts'

/** What each part may take of the shutdown, after the listeners. */
const STOP_MS = { jobs: 500, consumer: 1_000, relay: 1_000, connections: 1_000 }

export interface ConsumerService {
  readonly ctx: ConsumerContext
  readonly app: App
  start(): Promise<RunningService & { url: string; internalUrl: string }>
}

export async function createConsumerService(
  config: ConsumerConfig,
  overrides: ContextOverrides = {},
): Promise<ConsumerService> {
  const ctx = createContext(config, overrides)
  const app = await buildConsumerApp(ctx)
  const internalApp = await buildInternalApp(ctx)
  const relay = createConsumerRelay(ctx)
  const consumer = createEventConsumer(ctx)
  return {
    ctx,
    app,
    async start() {
      // Without them the service starts all the same: what is cached can be served.
      await ctx.upstreams.ready().catch(ctx.onError)
      relay.start()
      await consumer.start()
      const host = jobHost(ctx.relayDb, config.instance, ctx.logger)
      const schedule = config.jobSchedules === 'on' ? scheduleJobs(host) : null
      const internal = await serve(internalApp, {
        port: config.internalPort,
        host: config.internalHost,
        announceMs: 0,
      })
      const { port, host: address } = config
      const serving = await serve(app, { port, host: address, ...announcing(overrides) })
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
      const { logger } = ctx
      return { stopPhases, shutdownMs, logger, url: serving.url, internalUrl: internal.url }
    },
  }
}

function announcing({ announceMs }: ContextOverrides) {
  return announceMs === undefined ? {} : { announceMs }
}

function createConsumerRelay(ctx: ConsumerContext): Relay {
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

function createEventConsumer(ctx: ConsumerContext): Consumer {
  return createConsumer({
    db: ctx.db,
    bus: ctx.bus,
    registry: inboundRegistry,
    subscription: ctx.config.service,
    ackDeadlineMs: ctx.config.ackDeadlineMs,
    drainMs: STOP_MS.consumer,
    handlers: createHandlers(ctx),
    aliases: ALIASES,
    metrics: consumerMetrics(ctx.metrics),
    onError: ctx.onError,
    tracer: ctx.tracer,
  })
}
