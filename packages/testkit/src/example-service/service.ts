import { type App, serve } from '@melmastoon/chassis/http'
import { type Consumer, createConsumer } from '@melmastoon/chassis/inbox'
import { scheduleJobs } from '@melmastoon/chassis/jobs'
import type { RunningService, StopPhase } from '@melmastoon/chassis/lifecycle'
import { createRelay, type Relay } from '@melmastoon/chassis/outbox'
import { consumerMetrics, relayMetrics } from '@melmastoon/chassis/telemetry'
import type { ExampleConfig } from './config.ts'
import { type ContextOverrides, createContext, type ExampleContext } from './context.ts'
import { buildExampleApp, buildInternalApp } from './http/app.ts'
import { jobHost } from './jobs.ts'
import { countNotes } from './notes/count-notes.ts'

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
      const schedule = config.jobSchedules === 'on' ? scheduleJobs(jobHost(ctx)) : null
      const internal = await serve(internalApp, {
        port: config.internalPort,
        host: config.internalHost,
        announceMs: 0,
      })
      const serving = await serve(app, { port: config.port, host: config.host })
      const stopPhases: StopPhase[] = [
        serving.stopPhase,
        internal.stopPhase,
        { name: 'jobs', timeoutMs: 1_000, run: async () => schedule?.stop() },
        { name: 'consumer', timeoutMs: 2_000, run: () => consumer.stop() },
        { name: 'relay', timeoutMs: 2_000, run: () => relay.stop() },
        { name: 'connections', timeoutMs: 1_000, run: async () => ctx[Symbol.asyncDispose]() },
      ]
      return { stopPhases, url: serving.url, internalUrl: internal.url }
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
    metrics: relayMetrics(ctx.metrics),
  })
}

function createExampleConsumer(ctx: ExampleContext): Consumer {
  return createConsumer({
    db: ctx.db,
    bus: ctx.bus,
    registry: ctx.registry,
    subscription: ctx.config.service,
    ackDeadlineMs: ctx.config.ackDeadlineMs,
    handlers: { 'melmastoon.example.note.placed.v1': countNotes(ctx.cache) },
    metrics: consumerMetrics(ctx.metrics),
    tracer: ctx.tracer,
  })
}
