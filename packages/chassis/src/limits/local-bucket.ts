import {
  type LimitDecision,
  type LimitPolicy,
  RETAINED_MS,
  retainedTokens,
  tokenBatch,
} from './limit-policy.ts'

/** What a process knows of the bucket of one key. */
export interface LocalBucket {
  allowance: number
  /** How many tokens were drawn last: more only for a key that spends them in time. */
  batch: number
  remaining: number
  /** Until then the shared bucket is known to be empty: a rejection costs no round trip. */
  rejectedUntilMs: number
  /** Until then the whole batch may be spent. */
  hotUntilMs: number
  /** Until then a few tokens of the batch may be spent; see `retainedTokens`. */
  validUntilMs: number
  /** The last value from Redis, by our clock: without Redis the limit continues from there. */
  tatMs: number
}

/** An unspent batch is discarded after a second, so that old grants cannot accumulate. */
const BATCH_VALID_MS = 1_000
/** A batch of which half lasts longer than this is large enough. */
const HALF_SPENT_MIN_MS = 250

/**
 * Unspent tokens are lost to their key, so a slow key draws as few as it needs: one at first, and
 * as many as may be retained when it comes back. A busy key draws more each time, until a batch
 * lasts long enough for the next one to be drawn meanwhile.
 */
export function nextBatch(policy: LimitPolicy, bucket: LocalBucket, nowMs: number): number {
  const { allowance, batch, hotUntilMs, validUntilMs } = bucket
  if (hotUntilMs < nowMs) return validUntilMs >= nowMs ? Math.max(1, retainedTokens(policy)) : 1
  const isSmall = allowance === 0 || hotUntilMs - nowMs > BATCH_VALID_MS - HALF_SPENT_MIN_MS
  return isSmall ? Math.min(tokenBatch(policy), batch * 2) : batch
}

/** The result of a draw. */
interface Grant {
  granted: number
  remaining: number
  resetMs: number
  retryAfterMs: number
}

interface GrantedAt {
  readonly given: Grant
  readonly nowMs: number
}

export function grant(policy: LimitPolicy, bucket: LocalBucket, { given, nowMs }: GrantedAt): void {
  bucket.allowance = unspent(policy, bucket, nowMs) + given.granted
  bucket.remaining = given.remaining
  bucket.tatMs = nowMs + given.resetMs
  bucket.rejectedUntilMs = bucket.allowance > 0 ? 0 : nowMs + given.retryAfterMs
  bucket.hotUntilMs = nowMs + BATCH_VALID_MS
  bucket.validUntilMs = nowMs + RETAINED_MS
}

/** The tokens of an earlier batch that may still be spent. */
function unspent(
  policy: LimitPolicy,
  { allowance, hotUntilMs, validUntilMs }: LocalBucket,
  nowMs: number,
): number {
  if (validUntilMs < nowMs) return 0
  return hotUntilMs < nowMs ? Math.min(allowance, retainedTokens(policy)) : allowance
}

export function decide(
  policy: LimitPolicy,
  bucket: LocalBucket,
  { allowed, nowMs }: { allowed: boolean; nowMs: number },
): LimitDecision {
  const waitMs = allowed ? 0 : Math.max(1, bucket.rejectedUntilMs - nowMs)
  return {
    allowed,
    policy,
    remaining: allowed ? bucket.remaining + bucket.allowance : 0,
    resetSeconds: Math.max(0, Math.ceil((bucket.tatMs - nowMs) / 1000)),
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  }
}

export function emptyBucket(): LocalBucket {
  return {
    allowance: 0,
    batch: 1,
    remaining: 0,
    rejectedUntilMs: 0,
    hotUntilMs: Number.NEGATIVE_INFINITY,
    validUntilMs: Number.NEGATIVE_INFINITY,
    tatMs: 0,
  }
}
