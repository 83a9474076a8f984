import { type GuestSessionId, idToUuid } from '@melmastoon/domain'
import type { Measures } from '../measures.ts'
import type { Bots } from './bots.ts'
import { type SignalKind, scoreSignals } from './scoring.ts'
import { historySignals, type RequestTraits, requestSignals } from './signals.ts'
import type { VisitorProfile } from './visitor-profiles.ts'
import type { StoredVisitor } from './visitor-store.ts'

/** An assessment is valid for this time. */
const VALID_MS = 60_000
/** Or shorter, after this number of requests. */
const RECHECK_REQUESTS = 60
/** Requests that were counted longer ago say nothing about the current pace. */
const PACE_EXPIRES_MS = 120_000
/** An unchanged assessment is logged again after this time. */
const LOG_AGAIN_MS = 600_000

export interface AssessmentDeps {
  readonly bots: Bots
  readonly measures: Pick<Measures, 'botVerdicts'>
}

/** The request that an assessment is made with. */
export interface BotCheckInput {
  readonly traits: RequestTraits
  /** Undefined without a session: then there is no guest whose consent allows an event. */
  readonly onSuspected: ((suspicion: Suspicion) => void) | undefined
  /** What was read while the session was read. */
  readonly early?: Promise<StoredVisitor> | undefined
  /** Whether this request was counted in Redis while the session was read. */
  readonly isCountedEarly?: boolean
}

export interface Suspicion {
  readonly fingerprintHash: string
  readonly ipHash: string
  readonly reason: 'score' | 'session-elsewhere'
  readonly score: number
  readonly verdict: 'suspect' | 'bot'
  readonly signals: { readonly kind: SignalKind; readonly weight: number }[]
}

/**
 * - `human`: a valid assessment, the request may go on.
 * - `recheck`: assessed as human, to be assessed again in the background.
 * - `rejected`: a valid assessment as suspect or bot.
 * - `unknown`: the request has to wait for an assessment.
 */
export type AssessmentState = 'human' | 'recheck' | 'rejected' | 'unknown'

/** Counts the request and returns the state of the cached assessment, without waiting. */
export function cachedAssessment(bots: Bots, profile: VisitorProfile): AssessmentState {
  profile.requests += 1
  return assessmentOf(bots, profile, profile.requests)
}

/** The state of the cached assessment with this number of requests. */
export function assessmentOf(
  { clock, recountMs }: Bots,
  profile: VisitorProfile,
  requests: number,
): AssessmentState {
  const { assessedAtMs } = profile
  if (assessedAtMs === null) return 'unknown'
  const nowMs = clock.monotonicMs()
  const ageMs = nowMs - assessedAtMs
  if (profile.verdict !== 'human' && profile.clearedUntilMs <= nowMs) {
    return ageMs < VALID_MS ? 'rejected' : 'unknown'
  }
  if (ageMs >= VALID_MS) return 'recheck'
  return requests >= RECHECK_REQUESTS && ageMs >= recountMs ? 'recheck' : 'human'
}

/** Assesses a visitor by the request and by what all processes stored. Never fails. */
export function assessVisitor(
  deps: AssessmentDeps,
  profile: VisitorProfile,
  input: BotCheckInput,
): Promise<void> {
  profile.assessing ??= assess(deps, profile, input).finally(() => {
    profile.assessing = undefined
  })
  return profile.assessing
}

/** Whether this visitor has to pass a challenge. Another process may have stored that it did. */
export async function needsChallenge(
  { clock, visitors }: Bots,
  profile: VisitorProfile,
  state: AssessmentState,
): Promise<boolean> {
  if (state === 'rejected') {
    const clearedMs = await visitors.clearedMs(profile.visitorId)
    if (clearedMs > 0) profile.clearedUntilMs = clock.monotonicMs() + clearedMs
  }
  return profile.verdict !== 'human' && profile.clearedUntilMs <= clock.monotonicMs()
}

async function assess(
  { bots, measures }: AssessmentDeps,
  profile: VisitorProfile,
  { traits, onSuspected, ...read }: BotCheckInput,
): Promise<void> {
  const stored = await historyOf(bots, profile, read)
  const signals = [...requestSignals(traits), ...historySignals(stored, bots.paces)]
  const nowMs = bots.clock.monotonicMs()
  Object.assign(profile, { ...scoreSignals(signals), signals, assessedAtMs: nowMs })
  if (stored.clearedMs > 0) profile.clearedUntilMs = nowMs + stored.clearedMs
  measures.botVerdicts.inc({ verdict: profile.verdict })
  logScore(bots, profile)
  const suspicion = suspicionOf(profile)
  if (suspicion !== undefined) onSuspected?.(suspicion)
}

/** A penalty may be stored for the fingerprint of the request or for that of the session. */
async function historyOf(
  bots: Bots,
  profile: VisitorProfile,
  { early, isCountedEarly = false }: Pick<BotCheckInput, 'early' | 'isCountedEarly'>,
): Promise<StoredVisitor> {
  const { visitors } = bots
  const { fingerprintHash, sessionFingerprintHash = fingerprintHash } = profile
  if (early !== undefined) discardOldRequests(bots, profile)
  const [stored, replays] = await Promise.all([
    early ?? visitors.load(profile, takeRequests(bots, profile, isCountedEarly)),
    visitors.replaysOf(sessionFingerprintHash),
  ])
  return { ...stored, replays: Math.max(stored.replays, replays) }
}

/** Requests that were not counted at that time and are still recent are counted next time. */
function discardOldRequests({ clock }: Bots, profile: VisitorProfile): void {
  const nowMs = clock.monotonicMs()
  if (nowMs - profile.countedAtMs > PACE_EXPIRES_MS) profile.requests = 0
  profile.countedAtMs = nowMs
}

/** Of requests long ago only this one is left, unless it is counted already. */
function takeRequests({ clock }: Bots, profile: VisitorProfile, isCounted: boolean): number {
  const { requests, countedAtMs } = profile
  const nowMs = clock.monotonicMs()
  Object.assign(profile, { requests: 0, countedAtMs: nowMs })
  if (nowMs - countedAtMs <= PACE_EXPIRES_MS) return requests
  return isCounted ? 0 : 1
}

function logScore({ clock, scores }: Bots, profile: VisitorProfile): void {
  const { sessionId, score, verdict, signals, logged } = profile
  const details = signals.map(({ detail }) => detail).join()
  const nowMs = clock.monotonicMs()
  if (logged?.details === details && nowMs - logged.atMs < LOG_AGAIN_MS) return
  profile.logged = { details, atMs: nowMs }
  scores.add({
    guest_session_id: sessionId === undefined ? null : idToUuid(sessionId as GuestSessionId),
    fingerprint_hash: profile.fingerprintHash,
    ip_hash: profile.addressHash,
    score,
    verdict,
    signals,
  })
}

function suspicionOf(profile: VisitorProfile): Suspicion | undefined {
  const { score, verdict, signals, addressHash, fingerprintHash } = profile
  if (verdict === 'human') return undefined
  const isElsewhere = signals.some(({ detail }) => detail === 'session-elsewhere')
  return {
    fingerprintHash,
    ipHash: addressHash,
    reason: isElsewhere ? 'session-elsewhere' : 'score',
    score,
    verdict,
    signals: signals.map(({ kind, weight }) => ({ kind, weight })),
  }
}
