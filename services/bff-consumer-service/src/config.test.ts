import { ConfigError } from '@melmastoon/chassis/config'
import { describe, expect, it } from 'vitest'
import { consumerConfig } from './config.ts'

const keys = (fill: string) => `k1:active:${Buffer.alloc(32, fill).toString('base64url')}`
const ENV = {
  UPSTREAM_SEARCH_URL: 'http://127.0.0.1:1',
  UPSTREAM_PRICING_URL: 'http://127.0.0.1:1',
  UPSTREAM_THEME_URL: 'http://127.0.0.1:1',
  UPSTREAM_PROPERTY_URL: 'http://127.0.0.1:1',
  UPSTREAM_TENANT_URL: 'http://127.0.0.1:1',
  SERVICE_SECRET: 'what services of the platform share, in tests',
  IDEMPOTENCY_SECRET: 'a secret for tests, long enough to be one',
  HASH_PEPPERS: keys('pepper'),
  HANDOFF_KEYS: keys('handoff'),
  SESSION_KEYS: keys('session'),
}
const CLOUD = {
  SERVICE_AUTH: 'google-id-token',
  INTERNAL_URL: 'http://127.0.0.1:1',
  BOOKING_SERVICE_ACCOUNT: 'booking@melmastoon.example',
}
const RECAPTCHA = {
  CAPTCHA: 'recaptcha-enterprise',
  RECAPTCHA_PROJECT: 'melmastoon',
  RECAPTCHA_SITE_KEY: 'a public site key',
  RECAPTCHA_HOSTNAMES: 'melmastoon.example, io.ghasi.melmastoon',
  RECAPTCHA_API_KEY: 'a secret API key, long',
}

function problemsOf(env: Record<string, string>): string[] {
  try {
    consumerConfig.read({ ...ENV, ...env })
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(({ variable }) => variable)
  }
}

describe('C9 the captcha', () => {
  it('is local on one machine', () => {
    expect(consumerConfig.read(ENV).captcha).toBe('local')
  })

  it('must not be the local verifier in the cloud', () => {
    expect(problemsOf(CLOUD)).toEqual(['CAPTCHA'])
    expect(problemsOf({ ...CLOUD, ...RECAPTCHA })).toEqual([])
  })

  it('of Google needs all it takes, and never shows its key', () => {
    const missing = ['PROJECT', 'SITE_KEY', 'HOSTNAMES', 'API_KEY'].map(
      (name) => `RECAPTCHA_${name}`,
    )
    expect(problemsOf({ CAPTCHA: 'recaptcha-enterprise' })).toEqual(missing)
    const config = consumerConfig.read({ ...ENV, ...RECAPTCHA })
    expect(config.recaptchaHostnames).toEqual(['melmastoon.example', 'io.ghasi.melmastoon'])
    expect(JSON.stringify(config)).not.toContain(RECAPTCHA.RECAPTCHA_API_KEY)
  })
})

describe('C9 the bot check', () => {
  it('is on by default', () => {
    expect(consumerConfig.read(ENV).botCheck).toBe('on')
  })

  it.each(['127.0.0.1', '::1', 'localhost'])('may be off at %s, without a proxy', (host) => {
    const off = { BOT_CHECK: 'off', HOST: host }
    expect(problemsOf(off)).toEqual([])
    expect(problemsOf({ ...off, TRUST_PROXY_HOPS: '1' })).toEqual(['BOT_CHECK'])
    expect(problemsOf({ ...off, ...CLOUD, ...RECAPTCHA })).toEqual(['BOT_CHECK'])
  })

  it.each([undefined, '0.0.0.0', '10.0.0.4', '::'])('must be on at %s', (host) => {
    const off = { BOT_CHECK: 'off', ...(host !== undefined && { HOST: host }) }
    expect(problemsOf(off)).toEqual(['BOT_CHECK'])
  })
})

describe('D34 consent to telemetry', () => {
  it('is opt-out by default, and opt-in where a deployment requires it', () => {
    expect(consumerConfig.read(ENV).telemetryConsent).toBe('opt-out')
    const chosen = consumerConfig.read({ ...ENV, TELEMETRY_CONSENT: 'opt-in' })
    expect(chosen.telemetryConsent).toBe('opt-in')
    expect(problemsOf({ TELEMETRY_CONSENT: 'off' })).toEqual(['TELEMETRY_CONSENT'])
  })
})
