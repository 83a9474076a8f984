import type { Clock } from '@melmastoon/chassis/clock'
import type { CaptchaVerifier } from './captcha/captcha-verifier.ts'
import type { LocalCaptcha } from './captcha/local-captcha.ts'
import type { Ledger } from './ledger.ts'
import type { ScoreLog } from './score-log.ts'
import type { Standings } from './standing.ts'
import type { Paces } from './weights.ts'

/** What it takes to tell programs from people. */
export interface Bots extends AsyncDisposable {
  readonly clock: Clock
  readonly standings: Standings
  readonly ledger: Ledger
  readonly scores: ScoreLog
  readonly captcha: CaptchaVerifier | LocalCaptcha
  readonly paces: Paces
  /** How soon a hasty guest is looked at again. */
  readonly recountMs: number
}

export interface BotOverrides {
  readonly paces?: Partial<Paces>
  readonly recountMs?: number
  /** Where Google is, for tests. */
  readonly recaptchaUrl?: string
}
