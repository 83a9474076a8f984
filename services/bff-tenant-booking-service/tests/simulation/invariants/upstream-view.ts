import type { PaymentIntentId, ReservationId } from '@melmastoon/domain'
import type { AuditEntry, IntentChange, ReservationChange } from '../upstream/audit-log.ts'

/** The state of the upstreams after a number of audit entries. */
export interface UpstreamView {
  readonly reservations: ReadonlyMap<ReservationId, ReservationChange>
  readonly intents: ReadonlyMap<PaymentIntentId, IntentChange>
}

export function viewOf(audit: readonly AuditEntry[], length = audit.length): UpstreamView {
  const reservations = new Map<ReservationId, ReservationChange>()
  const intents = new Map<PaymentIntentId, IntentChange>()
  for (const entry of audit.slice(0, length)) {
    if (entry.kind === 'reservation') reservations.set(entry.reservationId, entry)
    if (entry.kind === 'intent') intents.set(entry.paymentIntentId, entry)
  }
  return { reservations, intents }
}

export function confirmedStays({ reservations }: UpstreamView): ReservationChange[] {
  return [...reservations.values()].filter(({ to }) => to === 'confirmed')
}

/** Captured and not returned. */
export function keptMicro({ capturedMicro, refundedMicro }: IntentChange): bigint {
  return capturedMicro - refundedMicro
}

/** The members of the input of a call that name its object. */
export function paramsOf(input: unknown): Readonly<Record<string, unknown>> {
  const { params = {} } = (input ?? {}) as { params?: Record<string, unknown> }
  return params
}
