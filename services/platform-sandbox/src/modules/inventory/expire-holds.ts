import { systemClock } from '@melmastoon/chassis/clock'
import type { Database, SqlFragment, Transactor, Tx } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { newId, type TenantId } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import type { Allocation } from '@melmastoon/upstream-contracts/inventory'
import { type AllocationRow, toAllocation } from './allocation.ts'
import { allocationEvents } from './allocation-events.ts'
import { type Blockers, dueAnywhere, dueBlockers, expireAllocations } from './expiry-sql.ts'

/** Short locks: a confirmation waits for at most one batch. */
const BATCH_HOLDS = 100

export type CauseOf = (tenantId: TenantId) => EventContext

/**
 * The reservations of the expired holds change in the same transaction, so that exactly one of
 * confirmed and expired is ever true. Returns the events.
 */
export type HoldsExpiredHandler = (
  tx: Tx,
  expired: readonly Allocation[],
  causeOf: CauseOf,
) => Promise<OutboxEvent[]>

export interface ExpiryOptions {
  readonly instance: string
  readonly onHoldsExpired: HoldsExpiredHandler
}

/** Expires all overdue holds in batches; any number of sweepers may run. */
export async function sweepHolds(
  db: Database,
  options: ExpiryOptions & { readonly signal?: AbortSignal; readonly batchHolds?: number },
): Promise<{ expired: number; batches: number }> {
  const { batchHolds = BATCH_HOLDS } = options
  let expired = 0
  let batches = 0
  for (;;) {
    options.signal?.throwIfAborted()
    const ended = await expireBatch(db, dueAnywhere(batchHolds), options)
    expired += ended
    batches += 1
    if (ended < batchHolds) return { expired, batches }
    crashPoint('inventory.between_batches')
  }
}

/** Expires the holds that block one request. */
export function reclaimHolds(
  db: Transactor,
  blockers: Blockers,
  options: ExpiryOptions,
): Promise<number> {
  return expireBatch(db, dueBlockers(blockers, BATCH_HOLDS), options)
}

async function expireBatch(
  db: Transactor,
  due: SqlFragment,
  { instance, onHoldsExpired }: ExpiryOptions,
): Promise<number> {
  const causeOf = causeOfSweep(instance)
  return await db.transaction(async (tx) => {
    const rows = await tx.query(expireAllocations(due))
    if (rows.length === 0) return 0
    crashPoint('inventory.mid_sweep')
    const released = rows.map(toAllocation).flatMap((allocation) => {
      return allocationEvents('released', allocation, causeOf(allocation.tenantId))
    })
    const followed = await onHoldsExpired(
      tx,
      rows.filter(isOfReservation).map(toAllocation),
      causeOf,
    )
    await appendEvents(tx, [...released, ...followed])
    crashPoint('inventory.before_sweep_commit')
    return rows.length
  })
}

function isOfReservation(row: AllocationRow): boolean {
  return row.kept_by === 'reservation'
}

/** One request id per batch: the events of a sweep belong together. */
function causeOfSweep(producerInstance: string): CauseOf {
  const requestId = newId('req')
  const traceparent = renderTraceparent(newTrace())
  const occurredAt = systemClock.now()
  return (tenantId) => ({ producerInstance, tenantId, requestId, traceparent, occurredAt })
}
