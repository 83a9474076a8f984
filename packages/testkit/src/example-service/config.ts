import {
  type BaseConfig,
  baseSettings,
  type Env,
  envChoice,
  envDuration,
  envInt,
  envSecret,
  envString,
  envUrl,
  loadConfig,
  readEnv,
  type Settings,
} from '@melmastoon/chassis/config'
import { EXAMPLE_SCHEMA } from './migrations.ts'

const base = baseSettings({
  service: 'example-service',
  schema: EXAMPLE_SCHEMA,
  defaultPort: 8080,
})

const settings = {
  ...base,
  upstreamUrl: envUrl('EXAMPLE_UPSTREAM_URL'),
  pubSubProject: envString('PUBSUB_PROJECT', { default: 'melmastoon' }),
  relayLeaseSeconds: envInt('RELAY_LEASE_SECONDS', { default: 30, min: 1, max: 300 }),
  ackDeadlineMs: envDuration('ACK_DEADLINE', { defaultMs: 30_000, minMs: 500 }),
  jobSchedules: envChoice('JOB_SCHEDULES', ['on', 'off'], { default: 'off' }),
  secrets: {
    ...base.secrets,
    idempotency: envSecret('IDEMPOTENCY_SECRET', { minLength: 32 }),
  },
}

export type ExampleConfig = Settings<typeof settings>

export function readConfig(env: Env): ExampleConfig {
  return loadConfig(readEnv(env), settings)
}

/** What programs beside the service need: migrations and jobs call no upstream. */
export function readBaseConfig(env: Env): BaseConfig {
  return loadConfig(readEnv(env), base)
}
