import { hostname } from 'node:os'
import {
  envChoice,
  envDuration,
  envFile,
  envInt,
  envKeyRing,
  envRatio,
  envSecret,
  envString,
  envUrl,
} from './env.ts'
import { loadConfig } from './load-config.ts'
import type { Env, Setting, Settings } from './setting.ts'

export interface BaseConfigOptions {
  service: string
  schema: string
  defaultPort: number
}

const POSTGRES = ['postgres', 'postgresql']
const REDIS = ['redis', 'rediss']

/** Ports of the one-machine set-up; production sets the variables. */
const LOCAL_DATABASE = 'postgres://postgres@127.0.0.1:54320/melmastoon'
const LOCAL_REDIS_SESSION = 'redis://127.0.0.1:63790'
const LOCAL_REDIS_CACHE = 'redis://127.0.0.1:63791'

/** Settings of every program of a service: the server, migrations, jobs, the outbox command. */
export function baseSettings(options: BaseConfigOptions) {
  const { service, schema, defaultPort } = options
  return {
    service: fixed(service),
    instance: envString('INSTANCE', { default: `${service}-${hostname()}-${process.pid}` }),
    port: envInt('PORT', { default: defaultPort, max: 65_535 }),
    host: envString('HOST', { default: '0.0.0.0' }),
    internalPort: envInt('INTERNAL_PORT', { default: defaultPort + 1000, max: 65_535 }),
    internalHost: envString('INTERNAL_HOST', { default: '127.0.0.1' }),
    databaseUrl: envUrl('DATABASE_URL', { default: LOCAL_DATABASE, protocols: POSTGRES }),
    appUrl: envRoleUrl('DATABASE_APP_URL', `${schema}_app`),
    relayUrl: envRoleUrl('DATABASE_RELAY_URL', `${schema}_relay`),
    ownerUrl: envRoleUrl('DATABASE_OWNER_URL', `${schema}_owner`),
    database: {
      /** Connections that stay open, and the most of the app role; by default the service's. */
      poolMin: envInt('DATABASE_POOL_MIN', { default: 2, max: 100 }),
      poolMax: envInt('DATABASE_POOL_MAX', { min: 1, max: 500, optional: true }),
      /** Limits of the roles of requests, relay and jobs; `migrate` sets them. */
      statementTimeoutMs: envDuration('DATABASE_STATEMENT_TIMEOUT', {
        defaultMs: 5_000,
        minMs: 100,
        maxMs: 60_000,
      }),
      idleInTransactionMs: envDuration('DATABASE_IDLE_IN_TRANSACTION_TIMEOUT', {
        defaultMs: 10_000,
        minMs: 100,
        maxMs: 60_000,
      }),
      tls: envChoice('DATABASE_TLS', ['auto', 'off', 'verify-ca', 'verify-full'], {
        default: 'auto',
      }),
      ca: envFile('DATABASE_CA_FILE'),
    },
    redisSessionUrl: envUrl('REDIS_SESSION_URL', {
      default: LOCAL_REDIS_SESSION,
      protocols: REDIS,
    }),
    redisCacheUrl: envUrl('REDIS_CACHE_URL', { default: LOCAL_REDIS_CACHE, protocols: REDIS }),
    eventTransport: envChoice('EVENT_TRANSPORT', ['redis-streams', 'pubsub'], {
      default: 'redis-streams',
    }),
    trustProxyHops: envInt('TRUST_PROXY_HOPS', { default: 0, max: 8 }),
    trustedHostHeader: envString('TRUSTED_HOST_HEADER', {
      default: 'host',
      pattern: /^[A-Za-z0-9-]{1,64}$/,
    }),
    logLevel: envChoice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      default: 'info',
      placeholder: 'silent',
    }),
    otlpUrl: envUrl('OTLP_URL', { optional: true }),
    traceSampleRatio: envRatio('TRACE_SAMPLE_RATIO', { default: 0.01 }),
    shutdownMs: envDuration('SHUTDOWN_TIMEOUT', { defaultMs: 8500, minMs: 500, maxMs: 9000 }),
    secrets: { internal: envSecret('INTERNAL_SECRET', { minLength: 32, optional: true }) },
  }
}

export type BaseConfig = Settings<ReturnType<typeof baseSettings>>

export function baseConfig(env: Env, options: BaseConfigOptions): BaseConfig {
  return loadConfig(env, baseSettings(options))
}

/** Additional settings of a service that serves requests. */
export function serverSettings() {
  return {
    pubSubProject: envString('PUBSUB_PROJECT', { default: 'melmastoon' }),
    relayLeaseSeconds: envInt('RELAY_LEASE_SECONDS', { default: 30, min: 1, max: 300 }),
    ackDeadlineMs: envDuration('ACK_DEADLINE', { defaultMs: 30_000, minMs: 500 }),
    jobSchedules: envChoice('JOB_SCHEDULES', ['on', 'off'], { default: 'off' }),
    secrets: {
      idempotency: envSecret('IDEMPOTENCY_SECRET', { minLength: 32 }),
      idempotencyKeys: envKeyRing('IDEMPOTENCY_KEYS', { optional: true }),
    },
  }
}

function fixed<T>(value: T): Setting<T> {
  return { read: () => value }
}

/** The URL of a role: by default `DATABASE_URL` with the role as user and without a password. */
export function envRoleUrl(variable: string, role: string): Setting<string> {
  const own = envUrl(variable, { protocols: POSTGRES })
  return {
    read(env) {
      if (env.placeholders || env.get(variable) !== undefined) return own.read(env)
      const url = URL.parse(env.get('DATABASE_URL') ?? LOCAL_DATABASE)
      if (url === null) return ''
      url.username = role
      url.password = ''
      return url.href
    },
  }
}
