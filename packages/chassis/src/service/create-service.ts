import type { Env, ServerConfig } from '../config/index.ts'
import type { App } from '../http/index.ts'
import { type Consumer, createConsumer } from '../inbox/index.ts'
import { createRelay, type Relay } from '../outbox/index.ts'
import { consumerMetrics, relayMetrics } from '../telemetry/index.ts'
import { buildInternalApp, buildPublicApp, jobHost } from './build-apps.ts'
import { createBase, type ServiceBase } from './create-base.ts'
import { deadLetterQueues, watchDeadLetters } from './dead-letter-queues.ts'
import type { ServiceDefinition, ServiceOverrides, Subscriptions } from './service-definition.ts'
import { STOP_MS, type StartedService, startParts } from './start-parts.ts'

/** A service that is built and not started: nothing listens, publishes or consumes yet. */
export interface Service<X> {
  readonly ctx: X
  readonly app: App
  readonly internalApp: App
  readonly relay: Relay
  /** Null when the service consumes no events. */
  readonly consumer: Consumer | null
  start(): Promise<StartedService>
}

/** Builds a service from its definition and the environment. @throws ConfigError */
export async function createService<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(definition: ServiceDefinition<C, X, O>, env: Env, overrides?: O): Promise<Service<X>> {
  const config = definition.config.read(env)
  const given = (overrides ?? {}) as O
  const ctx = buildContext(definition, config, given)
  try {
    const app = await buildPublicApp(definition, ctx, given)
    const internalApp = await buildInternalApp(definition, ctx)
    const relay = createServiceRelay(definition, ctx)
    const { subscriptions } = definition
    const consumer = subscriptions === undefined ? null : createEventConsumer(subscriptions, ctx)
    const start = async () => {
      await definition.prepare?.(ctx)
      return startParts({
        config,
        app,
        internalApp,
        relay,
        consumer,
        jobs: jobHost(definition, ctx),
        startWorkers: async () => (await definition.startWorkers?.(ctx)) ?? [],
        connections: ctx,
        announceMs: given.announceMs,
      })
    }
    return { ctx, app, internalApp, relay, consumer, start }
  } catch (error) {
    await ctx[Symbol.asyncDispose]()
    throw error
  }
}

/** The context alone, for programs that use the collaborators of a service without serving. */
export function buildContext<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(definition: ServiceDefinition<C, X, O>, config: C, overrides: O): X {
  const { metricsPrefix, pools } = definition
  const { schema } = definition.config
  const base = createBase(config, { schema, metricsPrefix, pools, clock: overrides.clock })
  try {
    return definition.createContext(base, overrides)
  } catch (error) {
    void base[Symbol.asyncDispose]()
    throw error
  }
}

function createServiceRelay({ registry }: Pick<ServiceDefinition, 'registry'>, ctx: ServiceBase) {
  return createRelay({
    db: ctx.relayDb,
    bus: ctx.bus,
    announcements: ctx.announcements,
    owner: ctx.config.instance,
    leaseSeconds: ctx.config.relayLeaseSeconds,
    validate: (message) => registry.validate(message),
    contractOf: (subject) => registry.contractOf(subject),
    stopMs: STOP_MS.relay,
    metrics: relayMetrics(ctx.metrics),
    onError: ctx.errors.for('relay'),
  })
}

function createEventConsumer<X extends ServiceBase>(
  subscriptions: Subscriptions<X>,
  ctx: X,
): Consumer {
  const { name = ctx.config.service, ...options } = subscriptions
  const handlers = subscriptions.handlers(ctx)
  ctx.use(watchDeadLetters(ctx, deadLetterQueues(subscriptions, ctx)))
  return createConsumer({
    ...options,
    handlers,
    db: ctx.db,
    bus: ctx.bus,
    subscription: name,
    ackDeadlineMs: ctx.config.ackDeadlineMs,
    drainMs: STOP_MS.consumer,
    metrics: consumerMetrics(ctx.metrics),
    onError: ctx.errors.for('inbox'),
    tracer: ctx.tracer,
  })
}
