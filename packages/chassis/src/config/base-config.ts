import { hostname } from 'node:os'
import { envChoice, envDuration, envInt, envRatio, envSecret, envString, envUrl } from './env.ts'
import { loadConfig } from './load-config.ts'
import type { Env, Setting, Settings } from './setting.ts'

export interface BaseConfigOptions {
  service: string
  schema: string
  defaultPort: number
}

const POSTGRES = ['postgres', 'postgresql']
const REDIS = ['redis', 'rediss']

/** Ports of the one-machine set-up; production gives the variables. */
const LOCAL_DATABASE = 'postgres://postgres@127.0.0.1:54320/melmastoon'
const LOCAL_REDIS_SESSION = 'redis://127.0.0.1:63790'
const LOCAL_REDIS_CACHE = 'redis://127.0.0.1:63791'

/** What every service reads. Spread it into the service's own group so that problems add up. */
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
    appUrl: roleUrl('DATABASE_APP_URL', `${schema}_app`),
    relayUrl: roleUrl('DATABASE_RELAY_URL', `${schema}_relay`),
    ownerUrl: roleUrl('DATABASE_OWNER_URL', `${schema}_owner`),
    redisSessionUrl: envUrl('REDIS_SESSION_URL', {
      default: LOCAL_REDIS_SESSION,
      protocols: REDIS,
    }),
    redisCacheUrl: envUrl('REDIS_CACHE_URL', { default: LOCAL_REDIS_CACHE, protocols: REDIS }),
    eventTransport: envChoice('EVENT_TRANSPORT', ['redis-streams', 'pubsub'], {
      default: 'redis-streams',
    }),
    trustProxyHops: envInt('TRUST_PROXY_HOPS', { default: 0, max: 8 }),
    logLevel: envChoice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      default: 'info',
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

function fixed<T>(value: T): Setting<T> {
  return { read: () => value }
}

/** Without a URL of its own a role uses `DATABASE_URL` under its own name and no password. */
function roleUrl(variable: string, role: string): Setting<string> {
  const own = envUrl(variable, { protocols: POSTGRES })
  return {
    read(env) {
      if (env.get(variable) !== undefined) return own.read(env)
      const url = URL.parse(env.get('DATABASE_URL') ?? LOCAL_DATABASE)
      if (url === null) return ''
      url.username = role
      url.password = ''
      return url.href
    },
  }
}
