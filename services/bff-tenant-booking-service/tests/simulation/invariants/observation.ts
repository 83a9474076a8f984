import type { DraftId, PaymentIntentId, ReservationId } from '@melmastoon/domain'
import type { DraftState } from '../../../src/drafts/draft-states.ts'
import type { FulfilmentState } from '../../../src/fulfilment/fulfilment.ts'
import type { AttemptStatus } from '../../../src/payments/attempt.ts'
import type { AuditEntry } from '../upstream/audit-log.ts'

export interface DraftRow {
  readonly draftId: DraftId
  readonly state: DraftState
}

export interface FulfilmentRow {
  readonly draftId: DraftId
  readonly state: FulfilmentState
  readonly decision: 'confirm' | 'release' | null
  readonly reservationId: ReservationId
  readonly intentId: PaymentIntentId | null
  readonly consentedDigest: string
  readonly amountMicro: string
  readonly currency: string
  readonly confirmKey: string | null
  readonly captureKey: string | null
  readonly cancelKey: string | null
  /** The fence. */
  readonly attempt: number
  readonly nextAtMs: number | null
  readonly outcomeCode: string | null
}

export interface AttemptRow {
  readonly draftId: DraftId
  readonly no: number
  readonly key: string
  readonly cancelKey: string | null
  readonly refundKey: string | null
  readonly intentId: PaymentIntentId | null
  readonly status: AttemptStatus
  readonly intentVersion: number
}

export interface EmittedEvent {
  /** Without the prefix of the service: `draft.converted.v1`. */
  readonly subject: string
  readonly draftId: DraftId
  /** What the event is about, besides the draft: the intent of `payment_intent.created.v1`. */
  readonly about?: string
}

/** What a guest was shown, and the truth at that moment. */
export interface ShownResponse {
  readonly draftId: DraftId
  readonly shows: 'confirmed' | 'failed' | 'declined' | 'checking'
  /** Of the attempts that a rejected request may be about. */
  readonly intentIds?: readonly PaymentIntentId[]
  readonly recordState: FulfilmentState | null
  /** The number of audit entries at that moment. */
  readonly auditLength: number
}

/** Everything that can be seen of one tenant after a task. */
export interface Observation {
  readonly nowMs: number
  readonly audit: readonly AuditEntry[]
  readonly drafts: readonly DraftRow[]
  readonly records: readonly FulfilmentRow[]
  readonly attempts: readonly AttemptRow[]
  readonly events: readonly EmittedEvent[]
  readonly responses: readonly ShownResponse[]
  /** Rooms that count as sold upstream. */
  readonly roomsSold: number
}

export interface Violation {
  readonly id: string
  readonly detail: string
}

/** The invariants of section 1 of the fulfilment rules, by number. */
export function violation(no: number, detail: string): Violation {
  return { id: `F${no}`, detail }
}
