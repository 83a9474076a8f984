import type { Deadline } from '@melmastoon/chassis/clock'

export interface CaptchaAttempt {
  /** The action the token was issued for; a token for another action is rejected. */
  readonly action: string
  readonly address: string
  readonly userAgent: string
  readonly deadline: Deadline
}

export interface CaptchaResult {
  readonly ok: boolean
  /** 0..1, higher = more likely a person: the opposite of our own score. */
  readonly score: number
}

export const REJECTED: CaptchaResult = { ok: false, score: 0 }

/** Tokens of Google have about two thousand characters. */
const TOKEN_MAX = 8_192

export function isPlausibleToken(token: string): boolean {
  return token.length > 0 && token.length <= TOKEN_MAX && /^[\w.~-]+$/.test(token)
}

export interface CaptchaVerifier extends AsyncDisposable {
  /** Tells a page which script issues tokens. */
  readonly provider: 'local' | 'recaptcha-enterprise'
  readonly siteKey: string
  /**
   * A token is accepted once. It appears in no log and no error.
   *
   * @throws when the token can be neither accepted nor rejected.
   */
  verify(token: string, attempt: CaptchaAttempt): Promise<CaptchaResult>
}
