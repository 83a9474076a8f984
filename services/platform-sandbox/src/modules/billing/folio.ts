import {
  type CurrencyCode,
  type FolioId,
  idToUuid,
  type ReservationId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import type {
  billingContract,
  Charge,
  ChargeCategory,
  Folio,
  FolioPayment,
  FolioPaymentMethod,
  FolioStatus,
  FolioSummary,
} from '@melmastoon/upstream-contracts/billing'

export type BillingOperations = typeof billingContract.operations

export interface FolioRow {
  tenant_id: string
  folio_id: string
  property_id: string
  status: FolioStatus
  currency: CurrencyCode
  charged_micro: string
  paid_micro: string
  version: number
  created_at: Date
  updated_at: Date
  opened_at: Date | null
  closed_at: Date | null
}

interface CauseColumns {
  operator_id: string | null
  causation_id: string | null
}

export interface ChargeRow extends CauseColumns {
  folio_id: string
  charge_id: string
  amount_micro: string
  category: ChargeCategory
  description: string
  posted_at: Date
  voided_at: Date | null
}

export interface PaymentRow extends CauseColumns {
  sequence: number
  amount_micro: string
  method: FolioPaymentMethod
  payment_intent_id: string | null
  recorded_at: Date
}

export interface FolioHistoryRow extends CauseColumns {
  version: number
  status: FolioStatus
  at: Date
}

/** A folio has the bits of its reservation's id. */
export function folioIdOf(reservationId: ReservationId): FolioId {
  return uuidToId('fol', idToUuid(reservationId))
}

export function balanceOf(row: FolioRow): bigint {
  return BigInt(row.charged_micro) - BigInt(row.paid_micro)
}

export function toSummary(row: FolioRow): FolioSummary {
  const { currency } = row
  return {
    folioId: uuidToId('fol', row.folio_id),
    reservationId: uuidToId('rsv', row.folio_id),
    propertyId: uuidToId('ppt', row.property_id),
    status: row.status,
    currency,
    charged: { amountMicro: row.charged_micro, currency },
    paid: { amountMicro: row.paid_micro, currency },
    balance: { amountMicro: String(balanceOf(row)), currency },
    version: row.version,
    createdAt: toIsoDateTime(row.created_at),
    updatedAt: toIsoDateTime(row.updated_at),
    ...(row.opened_at !== null && { openedAt: toIsoDateTime(row.opened_at) }),
    ...(row.closed_at !== null && { closedAt: toIsoDateTime(row.closed_at) }),
  }
}

export function toCharge(row: ChargeRow, currency: CurrencyCode): Charge {
  return {
    chargeId: uuidToId('chg', row.charge_id),
    folioId: uuidToId('fol', row.folio_id),
    amount: { amountMicro: row.amount_micro, currency },
    category: row.category,
    description: row.description,
    postedAt: toIsoDateTime(row.posted_at),
    ...(row.voided_at !== null && { voidedAt: toIsoDateTime(row.voided_at) }),
    ...causeOf(row),
  }
}

export function toPayment(row: PaymentRow, currency: CurrencyCode): FolioPayment {
  const { payment_intent_id: intent } = row
  return {
    sequence: row.sequence,
    amount: { amountMicro: row.amount_micro, currency },
    method: row.method,
    ...(intent !== null && { paymentIntentId: uuidToId('pyi', intent) }),
    recordedAt: toIsoDateTime(row.recorded_at),
    ...causeOf(row),
  }
}

export function toFolioHistory(row: FolioHistoryRow): Folio['history'][number] {
  const { version, status, at } = row
  return { version, status, at: toIsoDateTime(at), ...causeOf(row) }
}

function causeOf({ operator_id, causation_id }: CauseColumns) {
  return {
    ...(operator_id !== null && { operatorId: uuidToId('opr', operator_id) }),
    ...(causation_id !== null && { causationId: causation_id }),
  }
}
