import { randomBytes } from 'node:crypto'
import type { Clock } from '@melmastoon/chassis/clock'
import type { KeySpace, Redis } from '@melmastoon/chassis/redis'
import { derivedKey, equalText } from '@melmastoon/security'
import { type CaptchaVerifier, isPlausibleToken, REJECTED } from './captcha-verifier.ts'

export const LOCAL_TOKEN_SECONDS = 120
const NONCE_BYTES = 16
const TOKEN = /^local\.(([0-9a-z]{1,10})-[\w-]{22})\.([\w-]{43})$/

export interface LocalCaptchaOptions {
  readonly redis: Redis
  readonly keys: KeySpace
  readonly secret: string
  readonly clock: Clock
}

export interface LocalCaptcha extends CaptchaVerifier {
  /**
   * Issues a token to any caller: it exercises the protocol and proves nothing about the caller.
   */
  issue(action: string): string
}

/** For a single machine without access to a captcha service. */
export function createLocalCaptcha(options: LocalCaptchaOptions): LocalCaptcha {
  const { redis, secret, clock } = options
  const prefix = options.keys.prefix('captcha-spent')
  const sign = (nonce: string, action: string) => derivedKey(secret, 'local-captcha', nonce, action)

  return {
    provider: 'local',
    siteKey: 'local',

    issue(action) {
      const issuedAt = Math.floor(clock.nowMs() / 1000).toString(36)
      const nonce = `${issuedAt}-${randomBytes(NONCE_BYTES).toString('base64url')}`
      return `local.${nonce}.${sign(nonce, action)}`
    },

    async verify(token, { action }) {
      if (!isPlausibleToken(token)) return REJECTED
      const [, nonce = '', issuedAt = '', signature = ''] = TOKEN.exec(token) ?? []
      if (nonce === '' || !equalText(signature, sign(nonce, action))) return REJECTED
      const ageSeconds = clock.nowMs() / 1000 - Number.parseInt(issuedAt, 36)
      if (ageSeconds > LOCAL_TOKEN_SECONDS) return REJECTED
      // Stored longer than the token is valid, so that it is never accepted twice.
      const spent = ['EX', LOCAL_TOKEN_SECONDS * 2, 'NX'] as const
      const isFirst = (await redis.set(`${prefix}${nonce}`, '1', ...spent)) === 'OK'
      return isFirst ? { ok: true, score: 1 } : REJECTED
    },

    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}
