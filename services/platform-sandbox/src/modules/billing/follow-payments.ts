import type { Tx } from '@melmastoon/chassis/db'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import {
  idToUuid,
  type PaymentIntentId,
  type ReservationId,
  type TenantId,
} from '@melmastoon/domain'
import { paymentCaptured, paymentRefunded } from '@melmastoon/platform-events'
import type { FolioPaymentMethod } from '@melmastoon/upstream-contracts/billing'
import { moveFolioRow, refOf, statusAfter } from './change-folio.ts'
import { insertPayment } from './entry-sql.ts'
import { folioIdOf } from './folio.ts'
import { lockFolio, selectFolio } from './folio-sql.ts'

interface Transaction {
  readonly tenantId: TenantId
  readonly paymentIntentId: PaymentIntentId
  readonly reservationId: ReservationId | null
  readonly method: string
  readonly amount: { readonly amountMicro: string; readonly currency: string }
}

const METHODS: Readonly<Record<string, FolioPaymentMethod>> = {
  card: 'card',
  mobile_money: 'mobile_money',
  cash_on_arrival: 'cash',
}

/** Payments through the payment service are entries of the folio; a refund is a negative one. */
export function followPayments(): readonly EventHandler[] {
  return [
    on(paymentCaptured, { scope: 'tenant', handle: (tx, payment) => enter(tx, payment, 1n) }),
    on(paymentRefunded, { scope: 'tenant', handle: (tx, refund) => enter(tx, refund, -1n) }),
  ]
}

/** The folio may not exist yet: the payment counts when it does. */
async function enter(tx: Tx, transaction: Transaction, sign: bigint): Promise<void> {
  const { tenantId, reservationId, paymentIntentId, method, amount } = transaction
  if (reservationId === null) return
  const ref = refOf(tenantId, folioIdOf(reservationId))
  await tx.query(lockFolio(ref))
  const [folio] = await tx.query(selectFolio(ref))
  const amountMicro = sign * BigInt(amount.amountMicro)
  await tx.query(
    insertPayment({
      ...ref,
      amountMicro: String(amountMicro),
      currency: amount.currency,
      method: METHODS[method] ?? 'card',
      intent: idToUuid(paymentIntentId),
      operator: null,
      causation: null,
    }),
  )
  if (folio === undefined || folio.status === 'closed') return
  await moveFolioRow(tx, ref, { to: statusAfter(folio, -amountMicro) })
}
