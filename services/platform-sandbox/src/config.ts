import {
  type BaseConfig,
  baseSettings,
  type Env,
  envChoice,
  envInt,
  envSecret,
  envString,
  envUrl,
  loadConfig,
  readEnv,
  type Setting,
  type Settings,
} from '@melmastoon/chassis/config'
import { SANDBOX_SCHEMA } from './migrations.ts'

const base = baseSettings({
  service: 'platform-sandbox',
  schema: SANDBOX_SCHEMA,
  defaultPort: 8090,
})

/** What the demo world grows from. */
const worldSettings = {
  ...base,
  worldSeed: envString('WORLD_SEED', { default: 'melmastoon' }),
  worldProperties: envInt('WORLD_PROPERTIES', { default: 3_600, min: 0, max: 20_000 }),
}

/** Its purpose is to break things, and whoever reaches its page may do so. */
const outsideProduction: Setting<true> = {
  read(env) {
    if (env.get('NODE_ENV') === 'production') env.problem('NODE_ENV', 'forbids the sandbox')
    return true
  },
}

const settings = {
  ...worldSettings,
  outsideProduction,
  host: envString('HOST', { default: '127.0.0.1' }),
  /** Where browsers reach this process: photos, logos and the payment page are links to it. */
  publicUrl: envUrl('PUBLIC_URL', { default: 'http://127.0.0.1:8090' }),
  /** Where payment webhooks go; without it none are sent. */
  webhookUrl: envUrl('PAYMENT_WEBHOOK_URL', { optional: true }),
  /** How late a webhook is that is to arrive late. */
  webhookLateSeconds: envInt('PAYMENT_WEBHOOK_LATE_SECONDS', { default: 20, min: 1, max: 3_600 }),
  holdSeconds: envInt('HOLD_SECONDS', { default: 600, min: 1, max: 3_600 }),
  pubSubProject: envString('PUBSUB_PROJECT', { default: 'melmastoon' }),
  jobSchedules: envChoice('JOB_SCHEDULES', ['on', 'off'], { default: 'off' }),
  secrets: {
    ...base.secrets,
    idempotency: envSecret('IDEMPOTENCY_SECRET', { minLength: 32 }),
    service: envSecret('SERVICE_SECRET', { minLength: 32 }),
    webhook: envSecret('WEBHOOK_SECRET', { minLength: 32 }),
  },
}

export type SandboxConfig = Settings<typeof settings>
export type WorldConfig = Settings<typeof worldSettings>

export function readConfig(env: Env): SandboxConfig {
  return loadConfig(readEnv(env), settings)
}

export function readWorldConfig(env: Env): WorldConfig {
  return loadConfig(readEnv(env), worldSettings)
}

/** What programs beside the service need: migrations and jobs serve nobody. */
export function readBaseConfig(env: Env): BaseConfig {
  return loadConfig(readEnv(env), base)
}
