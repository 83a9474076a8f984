import type { Clock } from '@melmastoon/chassis/clock'
import type {
  CurrencyCode,
  DraftId,
  PaymentIntentId,
  ReservationId,
  TenantId,
} from '@melmastoon/domain'
import type { IntentStatus } from '@melmastoon/upstream-contracts/payment'
import type { Reservation, ReservationStatus } from '@melmastoon/upstream-contracts/reservation'

/** A change of a reservation; also extensions and new prices, which keep the status. */
export interface ReservationChange {
  readonly kind: 'reservation'
  readonly reservationId: ReservationId
  readonly draftId: DraftId | null
  readonly from: ReservationStatus | null
  readonly to: ReservationStatus
  readonly total: Reservation['total']
  readonly digest: string | null
  readonly paymentIntentId: PaymentIntentId | null
  readonly reasonCode: string | null
}

export interface IntentChange {
  readonly kind: 'intent'
  readonly paymentIntentId: PaymentIntentId
  readonly draftRef: string
  readonly from: IntentStatus | null
  readonly to: IntentStatus
  readonly amountMicro: bigint
  readonly capturedMicro: bigint
  readonly refundedMicro: bigint
  readonly currency: CurrencyCode
  readonly by: 'service' | 'payer' | 'staff' | 'clock'
}

/** A call that arrived; its response may have been lost. */
export interface ReceivedCall {
  readonly kind: 'call'
  readonly operation: string
  readonly key: string | null
  readonly input: unknown
  readonly isReplay: boolean
  /** `ok`, or the problem code. */
  readonly outcome: string
}

type Event = ReservationChange | IntentChange | ReceivedCall

export type AuditEntry = Event & {
  readonly no: number
  readonly atMs: number
  readonly tenantId: TenantId
}

/** Everything that happened upstream, in order: the truth that invariants are checked against. */
export class AuditLog {
  readonly entries: AuditEntry[] = []
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(tenantId: TenantId, event: Event): void {
    const no = this.entries.length + 1
    this.entries.push({ ...event, no, atMs: this.#clock.nowMs(), tenantId })
  }
}
