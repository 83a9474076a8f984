import { type App, STOP_MS, type StartedService, startParts } from '@melmastoon/chassis/http'
import { type Consumer, createConsumer } from '@melmastoon/chassis/inbox'
import { createRelay, type Relay } from '@melmastoon/chassis/outbox'
import { consumerMetrics, relayMetrics } from '@melmastoon/chassis/telemetry'
import type { ConsumerConfig } from './config.ts'
import { type ConsumerContext, type ContextOverrides, createContext } from './context.ts'
import { buildConsumerApp, buildInternalApp } from './http/app.ts'
import { jobHost } from './jobs.ts'
import { ALIASES, createHandlers, inboundRegistry } from './subscriptions.ts'

export interface ConsumerService {
  readonly ctx: ConsumerContext
  readonly app: App
  start(): Promise<StartedService>
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
      // Without them the service starts all the same: what is cached can be served. Suspensions are
      // asked for first, or a page made in the first moment would keep a tenant for all others.
      await Promise.all([
        ctx.upstreams.ready().catch(ctx.errors.for('upstream-auth')),
        ctx.blocked.refresh(),
      ])
      return startParts({
        config,
        app,
        internalApp,
        relay,
        consumer,
        jobs: jobHost(ctx.relayDb, config.instance, ctx.logger),
        connections: ctx,
        announceMs: overrides.announceMs,
      })
    },
  }
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
    onError: ctx.errors.for('relay'),
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
    onError: ctx.errors.for('inbox'),
    tracer: ctx.tracer,
  })
}
