import type { Queryable, Statement, Tx } from '@melmastoon/chassis/db'
import { type Id, idToUuid, type Problem, problem, type TenantId } from '@melmastoon/domain'
import type { Allocation } from '@melmastoon/upstream-contracts/inventory'
import { type AllocationOwner, type AllocationRow, toAllocation } from './allocation.ts'
import {
  commitAllocation,
  endAllocation,
  extendAllocation,
  lockAllocation,
  releaseAllocation,
  type SettleInput,
  selectAllocation,
} from './allocation-sql.ts'

export interface HoldRef {
  readonly tenantId: TenantId
  readonly allocationId: Id<'inv'>
  readonly owner: AllocationOwner
}

/** Throws HOLD_NOT_FOUND, HOLD_EXPIRED, HOLD_SETTLED or HOLD_OF_RESERVATION. */
export function commitHold(tx: Tx, ref: HoldRef): Promise<Allocation> {
  return move(tx, ref, commitAllocation(inputOf(ref)))
}

export function releaseHold(tx: Tx, ref: HoldRef): Promise<Allocation> {
  return move(tx, ref, releaseAllocation(inputOf(ref)))
}

/** Also throws EXTENSION_REFUSED. */
export function extendHold(tx: Tx, ref: HoldRef, holdSeconds: number): Promise<Allocation> {
  return move(tx, ref, extendAllocation(inputOf(ref), holdSeconds))
}

/** For simulations: the hold expires now instead of later. */
export function endHold(tx: Tx, ref: HoldRef): Promise<Allocation> {
  return move(tx, ref, endAllocation(inputOf(ref)))
}

/** Locks an active hold until the end of the transaction, without changing it. */
export async function lockHold(tx: Tx, ref: HoldRef): Promise<Allocation> {
  const [tenant, allocation] = [idToUuid(ref.tenantId), idToUuid(ref.allocationId)] as const
  await tx.query(lockAllocation(tenant, allocation))
  const [row] = await tx.query(selectAllocation(tenant, allocation))
  const isActive = row?.state === 'active' && !row.is_expired && row.kept_by === ref.owner
  if (!isActive) throw await rejectionOf(tx, ref)
  return toAllocation(row)
}

export async function readHold(
  db: Queryable,
  { tenantId, allocationId }: Omit<HoldRef, 'owner'>,
): Promise<Allocation> {
  const [row] = await db.query(selectAllocation(idToUuid(tenantId), idToUuid(allocationId)))
  if (row === undefined) throw problem('MELMASTOON.INVENTORY.HOLD_NOT_FOUND')
  return toAllocation(row.is_expired ? { ...row, state: 'expired' } : row)
}

function inputOf({ tenantId, allocationId, owner }: HoldRef): SettleInput {
  return { tenant: idToUuid(tenantId), allocation: idToUuid(allocationId), owner }
}

async function move(
  tx: Tx,
  ref: HoldRef,
  statement: Statement<AllocationRow>,
): Promise<Allocation> {
  await tx.query(lockAllocation(idToUuid(ref.tenantId), idToUuid(ref.allocationId)))
  const [row] = await tx.query(statement)
  if (row === undefined) throw await rejectionOf(tx, ref)
  return toAllocation(row)
}

/** The reason why nothing was changed, from the current state. */
async function rejectionOf(tx: Tx, { tenantId, allocationId, owner }: HoldRef): Promise<Problem> {
  const [row] = await tx.query(selectAllocation(idToUuid(tenantId), idToUuid(allocationId)))
  if (row === undefined) return problem('MELMASTOON.INVENTORY.HOLD_NOT_FOUND')
  if (row.kept_by !== owner) return problem('MELMASTOON.INVENTORY.HOLD_OF_RESERVATION')
  if (row.state === 'expired' || row.is_expired) {
    return problem('MELMASTOON.INVENTORY.HOLD_EXPIRED')
  }
  if (row.state === 'active') return problem('MELMASTOON.INVENTORY.EXTENSION_REFUSED')
  return problem('MELMASTOON.INVENTORY.HOLD_SETTLED')
}
