import { type App, STOP_MS, type StartedService, startParts } from '@melmastoon/chassis/http'
import { type Consumer, createConsumer } from '@melmastoon/chassis/inbox'
import { createRelay, type Relay } from '@melmastoon/chassis/outbox'
import { consumerMetrics, relayMetrics } from '@melmastoon/chassis/telemetry'
import type { ExampleConfig } from './config.ts'
import { type ContextOverrides, createContext, type ExampleContext } from './context.ts'
import { notePlaced } from './events.ts'
import { buildExampleApp, buildInternalApp } from './http/app.ts'
import { jobHost } from './jobs.ts'
import { countNotes } from './notes/count-notes.ts'

export interface ExampleService {
  ctx: ExampleContext
  app: App
  internalApp: App
  relay: Relay
  consumer: Consumer
  start(): Promise<StartedService>
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
      return startParts({
        config,
        app,
        internalApp,
        relay,
        consumer,
        jobs: jobHost(ctx.relayDb, config.instance, ctx.logger),
        connections: ctx,
      })
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
    onError: ctx.errors.for('relay'),
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
    onError: ctx.errors.for('inbox'),
    tracer: ctx.tracer,
  })
}
