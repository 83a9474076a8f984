import type { Database } from '@melmastoon/chassis/db'
import { isProblem, uuidToId } from '@melmastoon/domain'
import { decisionChange } from './charge-change.ts'
import { type IntentRef, selectDueIntents } from './intent-sql.ts'
import { type IntentKey, type Moving, moveTaken, takeIntent } from './move-intent.ts'

const BATCH_ROWS = 50

/**
 * Applies the responses that are due and returns their number. A failure does not block the others.
 */
export async function settleDueIntents(db: Database, moving: () => Moving): Promise<number> {
  const due = await db.query(selectDueIntents(BATCH_ROWS))
  const failures: unknown[] = []
  let settled = 0
  for (const ref of due) {
    try {
      settled += await settleIntent(db, keyOf(ref), moving())
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'payments could not be settled')
  return settled
}

async function settleIntent(db: Database, key: IntentKey, moving: Moving): Promise<0 | 1> {
  try {
    return await db.transaction(async (tx) => {
      const before = await takeIntent(tx, key)
      if (before.status !== 'processing') return 0
      const change = decisionChange(before, before.settleAs ?? 'approve')
      await moveTaken(tx, before, { change, moving })
      return 1
    })
  } catch (error) {
    // It expired at this moment; the expiry job handles it.
    if (!isProblem(error) || error.code !== 'MELMASTOON.PAYMENT.ILLEGAL_TRANSITION') throw error
    return 0
  }
}

function keyOf({ tenant, intent }: IntentRef): IntentKey {
  return { tenantId: uuidToId('tnt', tenant), paymentIntentId: uuidToId('pyi', intent) }
}
