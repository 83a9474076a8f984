import type { Tx } from '@melmastoon/chassis/db'
import {
  type CurrencyCode,
  type FolioId,
  idToUuid,
  problem,
  type TenantId,
} from '@melmastoon/domain'
import type { Actor } from '@melmastoon/upstream-contracts'
import type { FolioStatus } from '@melmastoon/upstream-contracts/billing'
import { balanceOf, type FolioRow } from './folio.ts'
import { type FolioRef, lockFolio, moveFolio } from './folio-sql.ts'
import { readFolioRow } from './read-folios.ts'

export interface StaffBody {
  readonly actor: Actor
  readonly causationId?: string
  readonly expectedVersion?: number
}

/** 10^12 units: far above any bill, far below the limit of the columns. */
const AMOUNT_MAX_MICRO = 10n ** 18n

export function refOf(tenantId: TenantId, folioId: FolioId): FolioRef {
  return { tenant: idToUuid(tenantId), folio: idToUuid(folioId) }
}

/** Locked until the end of the transaction; the sums include every committed entry. */
export async function lockFolioRow(tx: Tx, ref: FolioRef): Promise<FolioRow> {
  await tx.query(lockFolio(ref))
  return await readFolioRow(tx, ref)
}

/** @throws BILLING.FOLIO_CLOSED, BILLING.VERSION_CONFLICT */
export function checkChangeable(folio: FolioRow, { expectedVersion }: StaffBody): void {
  if (folio.status === 'closed') throw problem('MELMASTOON.BILLING.FOLIO_CLOSED')
  if (expectedVersion !== undefined && expectedVersion !== folio.version) {
    throw problem('MELMASTOON.BILLING.VERSION_CONFLICT')
  }
}

interface WireMoney {
  readonly amountMicro: string
  readonly currency: CurrencyCode
}

/** @throws BILLING.CURRENCY_MISMATCH, BILLING.NEGATIVE_AMOUNT */
export function checkAmount(folio: FolioRow, { amountMicro, currency }: WireMoney): void {
  if (currency !== folio.currency) throw problem('MELMASTOON.BILLING.CURRENCY_MISMATCH')
  const micro = BigInt(amountMicro)
  if (micro <= 0n || micro > AMOUNT_MAX_MICRO) throw problem('MELMASTOON.BILLING.NEGATIVE_AMOUNT')
}

/** After check-out the balance decides; before, entries do not change the status. */
export function statusAfter(folio: FolioRow, entryMicro: bigint): FolioStatus {
  const { status } = folio
  if (status !== 'balance_due' && status !== 'settled') return status
  return balanceOf(folio) + entryMicro > 0n ? 'balance_due' : 'settled'
}

export interface MoveOptions {
  readonly to: FolioStatus
  readonly body?: StaffBody
}

/** The next version of the folio, with its history. */
export async function moveFolioRow(
  tx: Tx,
  ref: FolioRef,
  { to, body }: MoveOptions,
): Promise<FolioRow> {
  const operator = body ? idToUuid(body.actor.operatorId) : null
  const [row] = await tx.query(
    moveFolio({ ...ref, to, operator, causation: body?.causationId ?? null }),
  )
  if (row === undefined) throw problem('MELMASTOON.BILLING.FOLIO_NOT_FOUND')
  return row
}
