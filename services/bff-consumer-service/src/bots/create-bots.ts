import type { Clock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { Redis } from '@melmastoon/chassis/redis'
import type { ErrorReporter, Metrics } from '@melmastoon/chassis/telemetry'
import type { KeyedHash } from '@melmastoon/security'
import type { ConsumerConfig } from '../config.ts'
import type { Measures } from '../measures.ts'
import type { BotOverrides, Bots } from './bots.ts'
import { createCaptcha } from './captcha/create-captcha.ts'
import { Ledger } from './ledger.ts'
import { ScoreLog } from './score-log.ts'
import { Standings } from './standing.ts'
import { PACES } from './weights.ts'

const RECOUNT_MS = 5_000

export interface BotSurroundings {
  readonly clock: Clock
  readonly db: Database
  readonly sessionRedis: Redis
  readonly cacheRedis: Redis
  readonly hashes: KeyedHash
  readonly metrics: Metrics
  readonly measures: Measures
  readonly errors: ErrorReporter
  readonly overrides: { readonly bots?: BotOverrides; readonly halfOpenAfterMs?: number }
}

export function createBots(config: ConsumerConfig, around: BotSurroundings): Bots {
  const { clock, db, sessionRedis, cacheRedis, hashes, metrics, measures, errors } = around
  const { bots = {}, halfOpenAfterMs } = around.overrides
  const { recaptchaUrl, paces = {}, recountMs = RECOUNT_MS } = bots
  const asked = { redis: sessionRedis, clock, metrics, recaptchaUrl, halfOpenAfterMs }
  const captcha = createCaptcha(config, asked)
  const onDropped = (count: number) => measures.botScoresDropped.inc({}, count)
  const scores = new ScoreLog({ db, onDropped, onError: errors.for('bot-scores') })
  return {
    clock,
    standings: new Standings(hashes),
    ledger: new Ledger({ sessionRedis, cacheRedis, onError: errors.for('bots') }),
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
