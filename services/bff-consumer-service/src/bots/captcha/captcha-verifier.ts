import type { Deadline } from '@melmastoon/chassis/clock'

export interface CaptchaAttempt {
  /** What the token was made for; one made for another purpose does not count. */
  readonly action: string
  readonly address: string
  readonly userAgent: string
  readonly deadline: Deadline
}

export interface CaptchaResult {
  readonly ok: boolean
  /** 0..1, higher = more likely a person. The other way round than our own score. */
  readonly score: number
}

export const REFUSED: CaptchaResult = { ok: false, score: 0 }

/** Longer is no token of anybody's; those of Google have about two thousand characters. */
const TOKEN_MAX = 8_192

export function isPlausibleToken(token: string): boolean {
  return token.length > 0 && token.length <= TOKEN_MAX && /^[\w.~-]+$/.test(token)
}

export interface CaptchaVerifier extends AsyncDisposable {
  /** Under this name a page finds the script that makes tokens. */
  readonly provider: 'local' | 'recaptcha-enterprise'
  readonly siteKey: string
  /**
   * A token counts once. The token is in no log and no error.
   *
   * @throws when nobody can tell: then the answer is neither yes nor no.
   */
  verify(token: string, attempt: CaptchaAttempt): Promise<CaptchaResult>
}
