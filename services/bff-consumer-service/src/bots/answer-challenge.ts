import type { LimitDecision } from '@melmastoon/chassis/limits'
import { problem } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { limitRefusal } from '../limits/limit-visit.ts'
import type { CaptchaAttempt } from './captcha/captcha-verifier.ts'
import { mustBeAsked } from './judge-visit.ts'
import { CLEARED_SECONDS } from './ledger.ts'
import type { Standing } from './standing.ts'

export interface ChallengeAnswer extends CaptchaAttempt {
  readonly token: string
  /** Whether what was asked for changes anything. */
  readonly changes: boolean
}

/**
 * Resolves when the guest may go on: because she passed, or because nobody can tell and she only
 * wants to read (D22: then within a tight limit, and not cleared). @throws Problem otherwise.
 */
export async function answerChallenge(
  ctx: ConsumerContext,
  standing: Standing,
  answer: ChallengeAnswer,
): Promise<void> {
  const { bots, limits, measures } = ctx
  const { guest, addressHash } = standing
  admit(await limits.challenge.take(guest))
  admit(await limits.challengeAtAddress.take(addressHash))
  try {
    if (await passes(ctx, standing, answer)) return
  } catch (cause) {
    ctx.errors.report('captcha', cause)
    measures.botChallenges.inc({ outcome: 'unavailable' })
    if (answer.changes) throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
    return admit(await limits.unproven.take(addressHash))
  }
  // A page repeats all that was refused with one token: the first of them clears the others.
  if (!(await mustBeAsked(bots, standing, 'refused'))) return
  await bots.ledger.noteFailure(guest)
  // The failure is a sign of its own: the next request is looked at with it.
  standing.judgedAtMs = null
  throw suspectedBot(ctx, standing, answer.action)
}

/** The document says how to go on. */
export function suspectedBot(
  { bots, measures }: ConsumerContext,
  standing: Standing,
  action: string,
) {
  const { provider, siteKey } = bots.captcha
  measures.botChallenges.inc({ outcome: 'asked' })
  return problem('MELMASTOON.BFF.CONSUMER.SUSPECTED_BOT', {
    detail: 'Solve the challenge, and repeat the request with its token in X-Recaptcha-Token',
    retryAfterSeconds: standing.verdict === 'bot' ? RETRY_SECONDS.bot : RETRY_SECONDS.suspect,
    extensions: { challenge: { provider, siteKey, action } },
  })
}

/** When asking again without having solved anything may make sense. */
const RETRY_SECONDS = { suspect: 60, bot: 300 } as const

function admit(decision: LimitDecision): void {
  const refusal = limitRefusal(decision)
  if (refusal !== undefined) throw refusal
}

async function passes(
  { bots, measures }: ConsumerContext,
  standing: Standing,
  answer: ChallengeAnswer,
): Promise<boolean> {
  const { ok } = await bots.captcha.verify(answer.token, answer)
  if (ok) {
    await bots.ledger.clear(standing.guest)
    standing.clearedUntilMs = bots.clock.monotonicMs() + CLEARED_SECONDS * 1_000
  }
  measures.botChallenges.inc({ outcome: ok ? 'passed' : 'failed' })
  return ok
}
