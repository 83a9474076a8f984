import type { ConsumerContext } from '../context.ts'
import type { Bots } from './bots.ts'
import { noteVerdict } from './note-verdict.ts'
import { readSignals, recordSignals } from './read-signals.ts'
import { scoreSignals } from './score-signals.ts'
import type { Sighting } from './sighting.ts'
import type { Standing } from './standing.ts'

/** A guest is looked at once in this time. */
const JUDGED_FOR_MS = 60_000
/** Or sooner, when she has asked so often since. */
const RECOUNT_REQUESTS = 60
/** What was asked longer ago says nothing about the pace of this minute. */
const PACE_FORGOTTEN_MS = 120_000

/**
 * - `human`: known, nothing to do.
 * - `recheck`: known as human, but it is time to look again, behind the answer.
 * - `refused`: known as something else.
 * - `unknown`: somebody has to look before there is an answer.
 */
export type Glance = 'human' | 'recheck' | 'refused' | 'unknown'

/** Counts the request, and says what is known without waiting for anybody. */
export function glanceAt({ clock, recountMs }: Bots, standing: Standing): Glance {
  standing.requests += 1
  const { judgedAtMs, requests } = standing
  if (judgedAtMs === null) return 'unknown'
  const nowMs = clock.monotonicMs()
  const ageMs = nowMs - judgedAtMs
  if (standing.verdict !== 'human' && standing.clearedUntilMs <= nowMs) {
    return ageMs < JUDGED_FOR_MS ? 'refused' : 'unknown'
  }
  if (ageMs >= JUDGED_FOR_MS) return 'recheck'
  return requests >= RECOUNT_REQUESTS && ageMs >= recountMs ? 'recheck' : 'human'
}

/** Looks at a guest: her request, and what all processes remember of her. Never fails. */
export function judgeVisit(
  ctx: ConsumerContext,
  standing: Standing,
  sighting: Sighting,
): Promise<void> {
  standing.judging ??= judge(ctx, standing, sighting).finally(() => {
    standing.judging = undefined
  })
  return standing.judging
}

async function judge(ctx: ConsumerContext, standing: Standing, sighting: Sighting): Promise<void> {
  const { bots } = ctx
  const recalled = await bots.ledger.recall(standing, takeRequests(bots, standing))
  const signals = [...readSignals(sighting.traits), ...recordSignals(recalled, bots.paces)]
  const nowMs = bots.clock.monotonicMs()
  Object.assign(standing, { ...scoreSignals(signals), signals, judgedAtMs: nowMs })
  if (recalled.clearedMs > 0) standing.clearedUntilMs = nowMs + recalled.clearedMs
  noteVerdict(ctx, standing, sighting)
}

function takeRequests({ clock }: Bots, standing: Standing): number {
  const { requests, countedAtMs } = standing
  const nowMs = clock.monotonicMs()
  Object.assign(standing, { requests: 0, countedAtMs: nowMs })
  return nowMs - countedAtMs > PACE_FORGOTTEN_MS ? 1 : requests
}

/** Whether this guest has to show that she is human. Another process may know that she has. */
export async function mustBeAsked(
  { clock, ledger }: Bots,
  standing: Standing,
  glance: Glance,
): Promise<boolean> {
  if (glance === 'refused') {
    const clearedMs = await ledger.clearedMs(standing.guest)
    if (clearedMs > 0) standing.clearedUntilMs = clock.monotonicMs() + clearedMs
  }
  return standing.verdict !== 'human' && standing.clearedUntilMs <= clock.monotonicMs()
}
