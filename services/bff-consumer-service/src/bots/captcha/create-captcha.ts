import type { Clock } from '@melmastoon/chassis/clock'
import type { Redis } from '@melmastoon/chassis/redis'
import { type Metrics, upstreamMetrics } from '@melmastoon/chassis/telemetry'
import type { ConsumerConfig } from '../../config.ts'
import type { CaptchaVerifier } from './captcha-verifier.ts'
import { createLocalCaptcha, type LocalCaptcha } from './local-captcha.ts'
import { createRecaptchaEnterprise } from './recaptcha-enterprise.ts'

export interface CaptchaSurroundings {
  readonly redis: Redis
  readonly clock: Clock
  readonly metrics: Metrics
  readonly recaptchaUrl?: string | undefined
  readonly halfOpenAfterMs?: number | undefined
}

export function createCaptcha(
  config: ConsumerConfig,
  { redis, clock, metrics, recaptchaUrl: baseUrl, halfOpenAfterMs }: CaptchaSurroundings,
): CaptchaVerifier | LocalCaptcha {
  const { secrets } = config
  if (config.captcha === 'local') {
    return createLocalCaptcha({ redis, clock, secret: secrets.idempotency.reveal() })
  }
  if (secrets.recaptcha === undefined) throw new TypeError('the configuration has no API key')
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
