import { type App, STOP_MS, type StartedService, startParts } from '@melmastoon/chassis/http'
import { createConsumer } from '@melmastoon/chassis/inbox'
import { createRelay } from '@melmastoon/chassis/outbox'
import { consumerMetrics, relayMetrics } from '@melmastoon/chassis/telemetry'
import type { SandboxConfig } from './config.ts'
import { createContext, type SandboxContext } from './context.ts'
import { buildInternalApp, buildSandboxApp } from './http/app.ts'
import { jobHost } from './jobs.ts'
import { mergeSubscriptions } from './merge-subscriptions.ts'
import { servedModules } from './modules.ts'

/** A handler may read of two other modules beside its transaction: three connections each. */
const CONSUMER_IN_FLIGHT_MAX = 8

export interface Sandbox {
  ctx: SandboxContext
  app: App
  start(): Promise<StartedService>
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
      return startParts({
        config,
        app,
        internalApp,
        relay,
        consumer,
        jobs: jobHost(ctx.relayDb, config.instance, ctx.logger),
        startWorkers: () => startWorkers(ctx),
        connections: ctx,
      })
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
    onError: ctx.errors.for('relay'),
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
    onError: ctx.errors.for('inbox'),
    tracer: ctx.tracer,
  })
}

async function startWorkers(ctx: SandboxContext) {
  return await Promise.all(servedModules(ctx.modules).flatMap((module) => module.start?.() ?? []))
}
