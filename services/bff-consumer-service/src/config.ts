import {
  type BaseConfig,
  baseSettings,
  type Env,
  envChoice,
  envDuration,
  envInt,
  envList,
  envSecret,
  envString,
  envUrl,
  loadConfig,
  readEnv,
  type Settings,
} from '@melmastoon/chassis/config'
import { CONSUMER_SCHEMA } from './migrations.ts'

const base = baseSettings({
  service: 'bff-consumer-service',
  schema: CONSUMER_SCHEMA,
  defaultPort: 8081,
})

const settings = {
  ...base,
  /** The cloud region this instance serves from: hotels served from elsewhere are marked. */
  region: envString('REGION', { default: 'asia-south1' }),
  searchUrl: envUrl('UPSTREAM_SEARCH_URL'),
  pricingUrl: envUrl('UPSTREAM_PRICING_URL'),
  themeUrl: envUrl('UPSTREAM_THEME_URL'),
  propertyUrl: envUrl('UPSTREAM_PROPERTY_URL'),
  tenantUrl: envUrl('UPSTREAM_TENANT_URL'),
  /** How we prove to upstreams who calls: Google's tokens, or on one machine a secret. */
  serviceAuth: envChoice('SERVICE_AUTH', ['shared-secret', 'google-id-token'], {
    default: 'shared-secret',
  }),
  /** Where guests are sent: the tenant's own site. */
  bookingSiteUrl: envString('BOOKING_SITE_URL', {
    default: 'https://{slug}.melmastoon.ghasi.io/book',
    pattern: /^https?:\/\/[^?#]*\{slug\}[^?#]*$/,
  }),
  /** With Google's tokens: our internal address as callers name it, and whom they run as. */
  internalUrl: envUrl('INTERNAL_URL', { optional: true }),
  bookingServiceAccount: envString('BOOKING_SERVICE_ACCOUNT', { default: '' }),
  /** Who checks that a suspect is human. */
  captcha: envChoice('CAPTCHA', ['local', 'recaptcha-enterprise'], { default: 'local' }),
  recaptchaProject: envString('RECAPTCHA_PROJECT', { default: '' }),
  recaptchaSiteKey: envString('RECAPTCHA_SITE_KEY', { default: '' }),
  /** Where people solve it: hosts of our pages, names of our apps. */
  recaptchaHostnames: envList('RECAPTCHA_HOSTNAMES', { default: [] }),
  pubSubProject: envString('PUBSUB_PROJECT', { default: 'melmastoon' }),
  relayLeaseSeconds: envInt('RELAY_LEASE_SECONDS', { default: 30, min: 1, max: 300 }),
  ackDeadlineMs: envDuration('ACK_DEADLINE', { defaultMs: 30_000, minMs: 500 }),
  jobSchedules: envChoice('JOB_SCHEDULES', ['on', 'off'], { default: 'off' }),
  secrets: {
    ...base.secrets,
    service: envSecret('SERVICE_SECRET', { minLength: 32, optional: true }),
    peppers: envSecret('HASH_PEPPERS', { minLength: 32 }),
    idempotency: envSecret('IDEMPOTENCY_SECRET', { minLength: 32 }),
    recaptcha: envSecret('RECAPTCHA_API_KEY', { minLength: 20, optional: true }),
    handoffKeys: envSecret('HANDOFF_KEYS', { minLength: 32 }),
  },
}

export type ConsumerConfig = Settings<typeof settings>

export function readConfig(env: Env): ConsumerConfig {
  return loadConfig(readEnv(env), settings, (config, problem) => {
    const { serviceAuth, secrets } = config
    const need = (variable: string, value: unknown) => {
      if (!value) problem(variable, `is required where SERVICE_AUTH is ${serviceAuth}`)
    }
    if (serviceAuth === 'shared-secret') {
      need('SERVICE_SECRET', secrets.service)
    } else {
      need('INTERNAL_URL', config.internalUrl)
      need('BOOKING_SERVICE_ACCOUNT', config.bookingServiceAccount)
    }
    checkCaptcha(config, problem)
  })
}

function checkCaptcha(
  config: ConsumerConfig,
  problem: (variable: string, problem: string) => void,
): void {
  if (config.captcha === 'local') {
    if (config.serviceAuth === 'shared-secret') return
    problem('CAPTCHA', 'must not be local on a cloud: anybody can solve that one')
    return
  }
  const need = (variable: string, value: unknown) => {
    if (!value) problem(variable, `is required where CAPTCHA is ${config.captcha}`)
  }
  need('RECAPTCHA_PROJECT', config.recaptchaProject)
  need('RECAPTCHA_SITE_KEY', config.recaptchaSiteKey)
  need('RECAPTCHA_HOSTNAMES', config.recaptchaHostnames.length)
  need('RECAPTCHA_API_KEY', config.secrets.recaptcha)
}

/** What programs beside the service need: migrations and jobs call no upstream. */
export function readBaseConfig(env: Env): BaseConfig {
  return loadConfig(readEnv(env), base)
}
