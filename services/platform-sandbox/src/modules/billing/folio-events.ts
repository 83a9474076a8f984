import type { TenantId } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import {
  folioChargePosted,
  folioClosed,
  folioOpened,
  folioPaymentRecorded,
  platformRegistry,
} from '@melmastoon/platform-events'
import type { Charge, FolioPayment, FolioSummary } from '@melmastoon/upstream-contracts/billing'

export interface FolioChange {
  readonly tenantId: TenantId
  readonly folio: FolioSummary
  readonly causationId?: string | null
  readonly cause: EventContext
}

export function chargePostedEvent(change: FolioChange, charge: Charge): OutboxEvent {
  const { chargeId, category, amount } = charge
  const payload = { ...payloadOf(change), chargeId, category, amount }
  return platformRegistry.build(folioChargePosted.subject, payload, change.cause)
}

export function paymentRecordedEvent(change: FolioChange, { amount }: FolioPayment): OutboxEvent {
  const payload = { ...payloadOf(change), amount }
  return platformRegistry.build(folioPaymentRecorded.subject, payload, change.cause)
}

export function openedEvent(change: FolioChange): OutboxEvent {
  return platformRegistry.build(folioOpened.subject, payloadOf(change), change.cause)
}

export function closedEvent(change: FolioChange): OutboxEvent {
  return platformRegistry.build(folioClosed.subject, payloadOf(change), change.cause)
}

function payloadOf({ tenantId, folio, causationId = null }: FolioChange) {
  const { propertyId, folioId, reservationId, status, version, updatedAt } = folio
  const ids = { tenantId, propertyId, folioId, reservationId }
  return { ...ids, status, version, occurredAt: updatedAt, causationId }
}
