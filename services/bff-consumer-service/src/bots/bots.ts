import type { Clock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { KeySpace, Redis } from '@melmastoon/chassis/redis'
import type { ErrorReporter, Metrics } from '@melmastoon/chassis/telemetry'
import type { KeyedHash } from '@melmastoon/security'
import type { BOT_REASONS } from '../events/bot-events.ts'
import type { Measures } from '../measures.ts'
import type { CaptchaVerifier } from './captcha/captcha-verifier.ts'
import { type CaptchaConfig, createCaptcha } from './captcha/create-captcha.ts'
import type { LocalCaptcha } from './captcha/local-captcha.ts'
import { ScoreLog } from './score-log.ts'
import { PACES, type Paces } from './signals.ts'
import { VisitorProfiles } from './visitor-profiles.ts'
import { VisitorStore } from './visitor-store.ts'

const RECOUNT_MS = 5_000

/** The parts of bot detection. */
export interface Bots extends AsyncDisposable {
  readonly clock: Clock
  readonly profiles: VisitorProfiles
  readonly visitors: VisitorStore
  readonly scores: ScoreLog
  readonly captcha: CaptchaVerifier | LocalCaptcha
  readonly paces: Paces
  /** The shortest time between two assessments of a fast visitor. */
  readonly recountMs: number
}

export interface BotOverrides {
  readonly paces?: Partial<Paces>
  readonly recountMs?: number
  /** The address of Google, for tests. */
  readonly recaptchaUrl?: string
}

export interface BotOptions {
  readonly clock: Clock
  readonly db: Database
  readonly sessionRedis: Redis
  readonly cacheRedis: Redis
  readonly keys: KeySpace
  readonly hashes: KeyedHash
  readonly metrics: Metrics
  readonly measures: Pick<Measures, 'botScoresDropped'>
  readonly errors: ErrorReporter
  readonly overrides: { readonly bots?: BotOverrides; readonly halfOpenAfterMs?: number }
}

export function createBots(config: CaptchaConfig, options: BotOptions): Bots {
  const { clock, db, sessionRedis, cacheRedis, keys, hashes, metrics, measures, errors } = options
  const { bots = {}, halfOpenAfterMs } = options.overrides
  const { recaptchaUrl, paces = {}, recountMs = RECOUNT_MS } = bots
  const captchaOptions = {
    redis: sessionRedis,
    keys,
    clock,
    metrics,
    recaptchaUrl,
    halfOpenAfterMs,
  }
  const captcha = createCaptcha(config, captchaOptions)
  const onError = errors.for('bots')
  const onDropped = (count: number) => measures.botScoresDropped.inc({}, count)
  const scores = new ScoreLog({ db, onDropped, onError: errors.for('bot-scores') })
  return {
    clock,
    profiles: new VisitorProfiles(hashes),
    visitors: new VisitorStore({ sessionRedis, cacheRedis, keys, clock, onError }),
    scores,
    captcha,
    paces: { ...PACES, ...paces },
    recountMs,
    async [Symbol.asyncDispose]() {
      await scores[Symbol.asyncDispose]()
      await captcha[Symbol.asyncDispose]()
    },
  }
}

export interface PenaltyDeps {
  readonly bots: Pick<Bots, 'visitors'>
  readonly measures: Pick<Measures, 'botPenalties'>
}

/**
 * Adds a signal to every visitor with this fingerprint for an hour, in every process within a
 * minute and a second. Never fails: the request that caused it was rejected already.
 */
export async function penalize(
  { bots, measures }: PenaltyDeps,
  fingerprintHash: string,
  reason: Exclude<(typeof BOT_REASONS)[number], 'score'>,
): Promise<void> {
  measures.botPenalties.inc({ reason })
  await bots.visitors.penalize(fingerprintHash)
}
