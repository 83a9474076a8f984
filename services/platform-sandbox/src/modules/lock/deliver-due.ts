import type { Database } from '@melmastoon/chassis/db'
import { uuidToId } from '@melmastoon/domain'
import type { Publishing } from './build-event.ts'
import { deliverResponse } from './deliver-response.ts'
import { type ResponseRef, selectDueResponses } from './response-sql.ts'

const BATCH_ROWS = 50

export interface DueDelivery {
  readonly db: Database
  /** Sees the responses of all tenants. */
  readonly relayDb: Database
  readonly publishing: () => Publishing
}

/** Delivers the responses that are due, in their order, and returns their number. */
export async function deliverDue(delivery: DueDelivery): Promise<number> {
  const due = await delivery.relayDb.query(selectDueResponses(BATCH_ROWS))
  const failures: unknown[] = []
  let delivered = 0
  for (const ref of due) {
    try {
      delivered += (await deliverOne(delivery, ref)) ? 1 : 0
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'responses could not be delivered')
  return delivered
}

function deliverOne({ db, publishing }: DueDelivery, ref: ResponseRef): Promise<boolean> {
  const tenantId = uuidToId('tnt', ref.tenant)
  return db.withTenant(tenantId, (tx) => deliverResponse(tx, ref, publishing()))
}
