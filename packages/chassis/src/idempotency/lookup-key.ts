import { type IdempotencyScope, scopeDigest } from './scope.ts'
import { readRow } from './sql/read-row.ts'
import type { IdempotencyStore } from './store.ts'

export type KeyState =
  | { readonly state: 'absent' }
  | { readonly state: 'in_progress' }
  | { readonly state: 'completed'; readonly status: number }

/** "Did my request land?" (D8). Says what became of it, not what it answered. */
export async function lookupKey(
  store: IdempotencyStore,
  scope: IdempotencyScope,
): Promise<KeyState> {
  const { table, db } = store
  const row = { table, tenantId: scope.tenantId, digest: scopeDigest(scope) }
  const [found] = await db.scoped(scope.tenantId).query(readRow(row))
  if (found === undefined) return { state: 'absent' }
  if (found.status_code === null) return { state: 'in_progress' }
  return { state: 'completed', status: found.status_code }
}
