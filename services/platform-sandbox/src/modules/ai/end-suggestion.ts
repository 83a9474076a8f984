import type { Database, Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { type Id, idToUuid, problem, type TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { SuggestionDetail } from '@melmastoon/upstream-contracts/ai'
import type { AiHost } from './ai-host.ts'
import { findSuggestion } from './read-suggestions.ts'
import type { StoredSuggestion } from './suggestion.ts'
import { type SuggestionCause, stateEvent } from './suggestion-events.ts'
import { lockDueSuggestions, moveSuggestion, type SuggestionRef } from './suggestion-sql.ts'

export type End = 'expired' | 'withdrawn'

export interface SuggestionKey {
  readonly tenantId: TenantId
  readonly suggestionId: Id<'sug'>
}

const SWEEP_ROWS = 100

/** Throws `SUGGESTION_NOT_FOUND`, or `SUGGESTION_CLOSED` when it is decided or ended already. */
export async function endSuggestion(
  { db, registry }: AiHost,
  { tenantId, suggestionId }: SuggestionKey,
  { to, cause }: { readonly to: End; readonly cause: EventContext },
): Promise<SuggestionDetail> {
  const ref = { tenant: idToUuid(tenantId), suggestion: idToUuid(suggestionId) }
  return await db.withTenant(tenantId, async (tx) => {
    const ended = await endIn(tx, ref, { to, by: { registry, cause } })
    if (ended !== null) return ended.detail
    await findSuggestion(tx, ref)
    throw problem('MELMASTOON.AI.SUGGESTION_CLOSED')
  })
}

/** Ends overdue suggestions of all tenants, and returns their number. */
export async function expireDue(relayDb: Database, by: SuggestionCause): Promise<number> {
  // Usually none is due, and there is nothing to lock.
  if ((await relayDb.query(lockDueSuggestions(1))).length === 0) return 0
  return await relayDb.transaction(async (tx) => {
    const due = await tx.query(lockDueSuggestions(SWEEP_ROWS))
    for (const ref of due) await endIn(tx, ref, { to: 'expired', by })
    return due.length
  })
}

async function endIn(
  tx: Tx,
  ref: SuggestionRef,
  { to, by }: { readonly to: End; readonly by: SuggestionCause },
): Promise<StoredSuggestion | null> {
  const move = { ...ref, from: ['proposed'], to, operator: null, causationId: null }
  const [moved] = await tx.query(moveSuggestion(move))
  if (moved === undefined) return null
  const ended = await findSuggestion(tx, ref)
  await appendEvents(tx, [stateEvent(ended, by)])
  return ended
}
