import {
  type ConfigOf,
  defineConfig,
  envChoice,
  envKeyRing,
  envList,
  envSecret,
  envString,
  envUrl,
  type ReportProblem,
} from '@melmastoon/chassis/config'

const settings = {
  /** The cloud region this instance serves from: hotels served from elsewhere are marked. */
  region: envString('REGION', { default: 'asia-south1' }),
  searchUrl: envUrl('UPSTREAM_SEARCH_URL'),
  pricingUrl: envUrl('UPSTREAM_PRICING_URL'),
  themeUrl: envUrl('UPSTREAM_THEME_URL'),
  propertyUrl: envUrl('UPSTREAM_PROPERTY_URL'),
  tenantUrl: envUrl('UPSTREAM_TENANT_URL'),
  /** How calls to upstreams are authenticated: Google ID tokens, or on one machine a secret. */
  serviceAuth: envChoice('SERVICE_AUTH', ['shared-secret', 'google-id-token'], {
    default: 'shared-secret',
  }),
  /** The tenant's own site, where guests book. */
  bookingSiteUrl: envString('BOOKING_SITE_URL', {
    default: 'https://{slug}.melmastoon.ghasi.io/book',
    pattern: /^https?:\/\/[^?#]*\{slug\}[^?#]*$/,
  }),
  /** With Google ID tokens: our internal URL as callers use it, and the account they run as. */
  internalUrl: envUrl('INTERNAL_URL', { optional: true }),
  bookingServiceAccount: envString('BOOKING_SERVICE_ACCOUNT', { default: '' }),
  /** Whether telemetry is enabled until a guest decides: opt-in where the law requires it (D34). */
  telemetryConsent: envChoice('TELEMETRY_CONSENT', ['opt-out', 'opt-in'], { default: 'opt-out' }),
  /** `off` only on one machine, for headless browsers in tests of one's own pages. */
  botCheck: envChoice('BOT_CHECK', ['on', 'off'], { default: 'on' }),
  /** The provider that verifies suspected bots. */
  captcha: envChoice('CAPTCHA', ['local', 'recaptcha-enterprise'], { default: 'local' }),
  recaptchaProject: envString('RECAPTCHA_PROJECT', { default: '' }),
  recaptchaSiteKey: envString('RECAPTCHA_SITE_KEY', { default: '' }),
  /** Where it may be solved: hosts of our pages, names of our apps. */
  recaptchaHostnames: envList('RECAPTCHA_HOSTNAMES', { default: [] }),
  secrets: {
    service: envSecret('SERVICE_SECRET', { minLength: 32, optional: true }),
    peppers: envKeyRing('HASH_PEPPERS'),
    recaptcha: envSecret('RECAPTCHA_API_KEY', { minLength: 20, optional: true }),
    handoffKeys: envKeyRing('HANDOFF_KEYS'),
    sessionKeys: envKeyRing('SESSION_KEYS'),
  },
}

export const consumerConfig = defineConfig({
  service: 'bff-consumer-service',
  schema: 'bff_consumer',
  defaultPort: 8081,
  settings,
  check(config, problem) {
    checkServiceAuth(config, problem)
    checkCaptcha(config, problem)
    checkBotCheck(config, problem)
  },
})

export type ConsumerConfig = ConfigOf<typeof consumerConfig>

function checkServiceAuth(config: ConsumerConfig, problem: ReportProblem): void {
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
}

function checkCaptcha(config: ConsumerConfig, problem: ReportProblem): void {
  if (config.captcha === 'local') {
    if (config.serviceAuth === 'shared-secret') return
    problem(
      'CAPTCHA',
      'must not be local with SERVICE_AUTH=google-id-token: any program can solve it',
    )
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

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

/** Without the check nothing but the limits stops a crawler: no other machine may reach it. */
function checkBotCheck(config: ConsumerConfig, problem: ReportProblem): void {
  const { botCheck, host, trustProxyHops, serviceAuth } = config
  if (botCheck === 'on') return
  const isOneMachine = LOOPBACK.has(host) && trustProxyHops === 0 && serviceAuth === 'shared-secret'
  if (isOneMachine) return
  problem(
    'BOT_CHECK',
    'may be off only where HOST is a loopback address, TRUST_PROXY_HOPS is 0 and SERVICE_AUTH is shared-secret',
  )
}
