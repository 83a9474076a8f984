import type { EventRegistry } from '@melmastoon/events'
import type { Clock } from '../clock/index.ts'
import type { Env, ServerConfig, ServiceConfig } from '../config/index.ts'
import type { Queryable } from '../db/index.ts'
import type { FlagDocument } from '../flags/index.ts'
import type { App, OpenApiOptions } from '../http/index.ts'
import type { ConsumerOptions } from '../inbox/index.ts'
import type { ServiceJob } from '../jobs/index.ts'
import type { ServiceBase } from './create-base.ts'

/** What tests and benchmarks may replace in every service. */
export interface ServiceOverrides {
  readonly clock?: Clock
  /** How long a stopping listener still accepts requests; see `ServeOptions`. */
  readonly announceMs?: number
  /** False sends every response through Fastify. */
  readonly fastPath?: boolean
}

export type Dependency = 'postgres' | 'redis-session' | 'redis-cache'

export interface Worker {
  stop(): Promise<void>
}

/** The events a service consumes. */
export interface Subscriptions<X> extends Pick<ConsumerOptions, 'maxInFlight' | 'deadLetterName'> {
  /** Subscriptions are named `<name>.<subject>`; the service's name by default. */
  readonly name?: string
  handlers(ctx: X): ConsumerOptions['handlers']
}

/** Resolves to the exit code. Under the role for relays and jobs. */
export type OperatorCommand = (words: readonly string[], db: Queryable, env: Env) => Promise<number>

/**
 * A service as data and functions; everything that all services share is built from it. `C` is its
 * configuration, `X` its context (the composition root), `O` what tests may replace in it.
 */
export interface ServiceDefinition<
  C extends ServerConfig = ServerConfig,
  X extends ServiceBase<C> = ServiceBase<C>,
  O extends ServiceOverrides = ServiceOverrides,
> {
  /** Name, schema, port and settings. */
  readonly config: ServiceConfig<C>
  /** Prefix of the names of its metrics. */
  readonly metricsPrefix: string
  /** The folder of its SQL files; the shared tables come first. */
  readonly migrations: URL
  /** Row-level security on `idempotency`, for services whose requests always have a tenant. */
  readonly idempotencyIsolation: boolean
  /** The events it publishes. */
  readonly registry: Pick<EventRegistry, 'definitions' | 'validate' | 'contractOf'>
  readonly openapi: OpenApiOptions
  /** Without these it is not ready. All three are reported. */
  readonly requiredDependencies: readonly Dependency[]
  /** Those of `contextJob` receive the context; the others use the relay database only. */
  readonly jobs: readonly ServiceJob<X>[]
  readonly pools?: { readonly app?: number; readonly relay?: number }
  readonly subscriptions?: Subscriptions<X>
  /** The documents with its flags, which operators read and change with `flags`. */
  readonly flags?: readonly FlagDocument[]
  /** More commands of its program by name, for operators. */
  readonly commands?: Readonly<Record<string, OperatorCommand>>

  /** The composition root: every collaborator, built once, in the order of their dependencies. */
  createContext(base: ServiceBase<C>, overrides: O): X
  /** Hooks and routes of the public listener. */
  routes(app: App, ctx: X): void | Promise<void>
  /** More routes of the internal listener, which has health, metrics and jobs. */
  internalRoutes?(app: App, ctx: X): void | Promise<void>
  /** Runs before anything is started. */
  prepare?(ctx: X): Promise<unknown>
  /** Other background work: started before events arrive, stopped after requests. */
  startWorkers?(ctx: X): Promise<readonly Worker[]>
}

export function defineService<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(definition: ServiceDefinition<C, X, O>): ServiceDefinition<C, X, O> {
  return Object.freeze(definition)
}
