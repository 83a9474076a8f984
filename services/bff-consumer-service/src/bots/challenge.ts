import { type LimitDecision, limitProblem } from '@melmastoon/chassis/limits'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import { type Problem, problem } from '@melmastoon/domain'
import type { Limits } from '../limits/create-limits.ts'
import type { Measures } from '../measures.ts'
import { needsChallenge } from './assess-visitor.ts'
import type { Bots } from './bots.ts'
import type { CaptchaAttempt } from './captcha/captcha-verifier.ts'
import type { VisitorProfile } from './visitor-profiles.ts'

export interface ChallengeDeps {
  readonly bots: Bots
  readonly limits: Pick<Limits, 'challenge' | 'challengeAtAddress' | 'unproven'>
  readonly measures: Pick<Measures, 'botChallenges'>
  readonly errors: Pick<ErrorReporter, 'report'>
}

export interface ChallengeAttempt extends CaptchaAttempt {
  readonly token: string
  /** Whether the request changes anything. */
  readonly changes: boolean
}

/** When a repetition without a token may succeed. */
const RETRY_SECONDS = { suspect: 60, bot: 300 } as const

/**
 * Resolves when the request may go on: the token is valid, or it cannot be verified and the request
 * only reads (D22: then within a narrow limit, and the visitor is not cleared).
 * @throws Problem otherwise.
 */
export async function verifyChallenge(
  deps: ChallengeDeps,
  profile: VisitorProfile,
  attempt: ChallengeAttempt,
): Promise<void> {
  const { bots, limits, measures } = deps
  const { visitorId, addressHash } = profile
  throwIfLimited(await limits.challenge.take(visitorId))
  throwIfLimited(await limits.challengeAtAddress.take(addressHash))
  try {
    if (await verifyToken(deps, profile, attempt)) return
  } catch (cause) {
    deps.errors.report('captcha', cause)
    measures.botChallenges.inc({ outcome: 'unavailable' })
    if (attempt.changes) throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
    return throwIfLimited(await limits.unproven.take(addressHash))
  }
  // A page repeats all rejected requests with one token: the first of them clears the visitor.
  if (!(await needsChallenge(bots, profile, 'rejected'))) return
  await bots.visitors.recordFailure(visitorId)
  // The failure is a signal: the next request is assessed with it.
  profile.assessedAtMs = null
  throw suspectedBot(deps, profile, attempt.action)
}

/** The problem document contains the challenge. */
export function suspectedBot(
  { bots, measures }: Pick<ChallengeDeps, 'bots' | 'measures'>,
  profile: VisitorProfile,
  action: string,
): Problem {
  const { provider, siteKey } = bots.captcha
  measures.botChallenges.inc({ outcome: 'asked' })
  return problem('MELMASTOON.BFF.CONSUMER.SUSPECTED_BOT', {
    detail: 'Solve the challenge and repeat the request with the token in X-Recaptcha-Token',
    retryAfterSeconds: profile.verdict === 'bot' ? RETRY_SECONDS.bot : RETRY_SECONDS.suspect,
    extensions: { challenge: { provider, siteKey, action } },
  })
}

function throwIfLimited(decision: LimitDecision): void {
  const rejected = limitProblem(decision)
  if (rejected !== undefined) throw rejected
}

async function verifyToken(
  { bots, measures }: ChallengeDeps,
  profile: VisitorProfile,
  attempt: ChallengeAttempt,
): Promise<boolean> {
  const { ok } = await bots.captcha.verify(attempt.token, attempt)
  if (ok) {
    const clearedMs = await bots.visitors.clear(profile.visitorId)
    profile.clearedUntilMs = bots.clock.monotonicMs() + clearedMs
  }
  measures.botChallenges.inc({ outcome: ok ? 'passed' : 'failed' })
  return ok
}
