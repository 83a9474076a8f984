import type { Clock } from '@melmastoon/chassis/clock'
import type { KeySpace, Redis } from '@melmastoon/chassis/redis'
import { type Metrics, upstreamMetrics } from '@melmastoon/chassis/telemetry'
import type { CaptchaVerifier } from './captcha-verifier.ts'
import { createLocalCaptcha, type LocalCaptcha } from './local-captcha.ts'
import { createRecaptchaEnterprise } from './recaptcha-enterprise.ts'

/** The settings of the service that concern captchas. */
export interface CaptchaConfig {
  readonly captcha: 'local' | 'recaptcha-enterprise'
  readonly recaptchaProject: string
  readonly recaptchaSiteKey: string
  readonly recaptchaHostnames: readonly string[]
  readonly secrets: {
    readonly idempotency: Revealable
    readonly recaptcha?: Revealable | undefined
  }
}

interface Revealable {
  reveal(): string
}

export interface CaptchaOptions {
  readonly redis: Redis
  readonly keys: KeySpace
  readonly clock: Clock
  readonly metrics: Metrics
  readonly recaptchaUrl?: string | undefined
  readonly halfOpenAfterMs?: number | undefined
}

export function createCaptcha(
  config: CaptchaConfig,
  { redis, keys, clock, metrics, recaptchaUrl: baseUrl, halfOpenAfterMs }: CaptchaOptions,
): CaptchaVerifier | LocalCaptcha {
  const { secrets } = config
  if (config.captcha === 'local') {
    return createLocalCaptcha({ redis, keys, clock, secret: secrets.idempotency.reveal() })
  }
  if (secrets.recaptcha === undefined) throw new TypeError('RECAPTCHA_API_KEY is not configured')
  return createRecaptchaEnterprise({
    project: config.recaptchaProject,
    siteKey: config.recaptchaSiteKey,
    hostnames: config.recaptchaHostnames,
    apiKey: secrets.recaptcha.reveal(),
    observer: upstreamMetrics(metrics, 'recaptcha'),
    baseUrl,
    halfOpenAfterMs,
  })
}

export function isLocal(captcha: CaptchaVerifier | LocalCaptcha): captcha is LocalCaptcha {
  return captcha.provider === 'local'
}
