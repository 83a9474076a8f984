import type { DraftId } from '@melmastoon/domain'
import type { AuditEntry, IntentChange } from '../upstream/audit-log.ts'
import {
  type AttemptRow,
  type FulfilmentRow,
  type Observation,
  type Violation,
  violation,
} from './observation.ts'
import { paramsOf, viewOf } from './upstream-view.ts'

const MONEY: ReadonlySet<string> = new Set(['captured', 'authorized', 'pending_cash'])
/** Of an intent that brings no money. */
const ENDED: ReadonlySet<string> = new Set(['failed', 'cancelled'])
const FINAL: ReadonlySet<string> = new Set(['confirmed', 'released'])
/** Calls whose key must be in a committed row first. */
const KEYED: ReadonlySet<string> = new Set([
  'payment.createIntent',
  'payment.captureIntent',
  'payment.cancelIntent',
  'payment.createRefund',
  'reservation.confirm',
])

/**
 * The invariants that compare an observation with the ones before it: observed after every task, it
 * sees every commit and every call separately.
 */
export class HistoryInvariants {
  readonly #keys = new Set<string>()
  /** The number of audit entries when the claim with the current fence was first seen. */
  readonly #claims = new Map<DraftId, { fence: number; auditLength: number }>()
  readonly #released = new Map<DraftId, number>()
  #before: Observation | null = null

  observe(now: Observation): Violation[] {
    const before = this.#before
    const violations = [
      ...this.#keysBeforeCalls(now, before?.audit.length ?? 0),
      ...this.#noConfirmAfterRelease(now, before?.audit.length ?? 0),
      ...(before === null ? [] : settledAgain(before, now)),
      ...(before === null ? [] : this.#closedByOthers(before, now)),
      ...now.records.flatMap((record) => this.#decidedOnRead(record, now)),
    ]
    this.#remember(now)
    return violations
  }

  /** F11: the key of a call was committed before the call. */
  #keysBeforeCalls({ audit }: Observation, from: number): Violation[] {
    return audit.slice(from).flatMap((entry) => {
      if (entry.kind !== 'call' || !KEYED.has(entry.operation)) return []
      if (entry.key === null || this.#keys.has(entry.key)) return []
      return [violation(11, `${entry.operation} was called with a key that no row has`)]
    })
  }

  /** F4: no stay is confirmed after the decision to release. */
  #noConfirmAfterRelease({ audit }: Observation, from: number): Violation[] {
    return audit.slice(from).flatMap((entry) => {
      const isConfirmed = entry.kind === 'reservation' && entry.to === 'confirmed'
      if (!isConfirmed || entry.draftId === null) return []
      const releasedAt = this.#released.get(entry.draftId)
      if (releasedAt === undefined || entry.no <= releasedAt) return []
      return [violation(4, `${entry.reservationId} was confirmed after the release`)]
    })
  }

  /** F8: the decision to confirm follows a read, after the claim, that showed money. */
  #decidedOnRead(record: FulfilmentRow, now: Observation): Violation[] {
    const earlier = this.#before?.records.find(({ draftId }) => draftId === record.draftId)
    const isNew = record.decision === 'confirm' && earlier?.decision !== 'confirm'
    if (!isNew || record.intentId === null) return []
    const claim = this.#claims.get(record.draftId)
    const claimedAt = claim?.fence === record.attempt ? claim.auditLength : now.audit.length
    const { intentId } = record
    const read = now.audit.findLast((entry) => isReadOf(entry, intentId, now.attempts))
    if (read === undefined || read.no <= claimedAt) {
      return [violation(8, `${record.draftId} was decided without a read after the claim`)]
    }
    const intent = viewOf(now.audit, read.no).intents.get(intentId)
    if (intent !== undefined && MONEY.has(intent.to)) return []
    return [violation(8, `${record.draftId} was confirmed, but the intent was ${intent?.to}`)]
  }

  /**
   * F9: an attempt is closed only by its own intent. A cancelled intent may be captured after all
   * before the claim that has cancelled it writes this: the status since the claim counts.
   */
  #closedByOthers(before: Observation, now: Observation): Violation[] {
    const wasOpen = ({ draftId, no }: AttemptRow) =>
      before.attempts.some(
        (each) => each.draftId === draftId && each.no === no && each.status !== 'closed',
      )
    return now.attempts
      .filter((attempt) => attempt.status === 'closed' && wasOpen(attempt))
      .filter(({ draftId, intentId }) => {
        const statuses = statusesSince(now.audit, intentId, this.#claims.get(draftId)?.auditLength)
        return statuses.length > 0 && !statuses.some((status) => ENDED.has(status))
      })
      .map(({ draftId, no }) =>
        violation(9, `${draftId}: attempt ${no} was closed by another event`),
      )
  }

  #remember(now: Observation): void {
    for (const { draftId, attempt, decision, confirmKey, captureKey, cancelKey } of now.records) {
      for (const key of [confirmKey, captureKey, cancelKey]) if (key !== null) this.#keys.add(key)
      if (this.#claims.get(draftId)?.fence !== attempt) {
        this.#claims.set(draftId, { fence: attempt, auditLength: now.audit.length })
      }
      if (decision === 'release' && !this.#released.has(draftId)) {
        this.#released.set(draftId, now.audit.length)
      }
    }
    for (const { key, cancelKey, refundKey } of now.attempts) {
      for (const each of [key, cancelKey, refundKey]) if (each !== null) this.#keys.add(each)
    }
    // The audit log grows in place.
    this.#before = { ...now, audit: [...now.audit] }
  }
}

/** The status of an intent after so many audit entries, and every later one. */
function statusesSince(
  audit: readonly AuditEntry[],
  intentId: AttemptRow['intentId'],
  length = 0,
): IntentChange['to'][] {
  const changes = audit.filter(
    (entry) => entry.kind === 'intent' && entry.paymentIntentId === intentId,
  ) as (AuditEntry & IntentChange)[]
  const first = changes.findLastIndex(({ no }) => no <= length)
  return changes.slice(Math.max(first, 0)).map(({ to }) => to)
}

function isReadOf(
  entry: AuditEntry,
  intentId: IntentChange['paymentIntentId'],
  attempts: readonly AttemptRow[],
): boolean {
  if (entry.kind !== 'call' || entry.outcome !== 'ok') return false
  if (entry.operation === 'payment.getIntent') {
    return paramsOf(entry.input)['paymentIntentId'] === intentId
  }
  const { key } = attempts.find((attempt) => attempt.intentId === intentId) ?? {}
  if (key === undefined) return false
  if (entry.operation === 'payment.createIntent') return entry.key === key && !entry.isReplay
  return entry.operation === 'payment.getByKey' && paramsOf(entry.input)['key'] === key
}

/** F9: a settled record never changes. */
function settledAgain(before: Observation, now: Observation): Violation[] {
  return before.records
    .filter(({ state }) => FINAL.has(state))
    .filter((earlier) => {
      const later = now.records.find(({ draftId }) => draftId === earlier.draftId)
      return later !== undefined && endOf(later) !== endOf(earlier)
    })
    .map(({ draftId }) => violation(9, `${draftId} changed after it was settled`))
}

function endOf({ state, decision, intentId, outcomeCode }: FulfilmentRow): string {
  return JSON.stringify([state, decision, intentId, outcomeCode])
}
