import { claimInPostgres } from './claim.ts'
import type { IdempotencyStore } from './idempotency.ts'
import { insertCompleted, mutationStatement, type RequestRow } from './idempotency-sql.ts'
import { type Mutation, nullWithoutEffect } from './mutation.ts'
import { findInShortcut } from './replay-shortcut.ts'
import { type KeyedRequest, type StoredOutcome, toRow } from './stored-outcome.ts'
import { renderResponse, type StoredResponse, sealResponse } from './stored-response.ts'

export type WriteOutcome =
  | { readonly kind: 'done'; readonly response: StoredResponse }
  /** The effect changed no row, so nothing at all was written and the key is still free. */
  | { readonly kind: 'no_effect' }
  | StoredOutcome

/** Only for taking over an unfinished or expired row, which is then one statement. */
const LEASE_MS = 15_000

/**
 * For mutations without an upstream call: claim, effect, events and result in one round trip and
 * one commit.
 */
export async function writeOnce(
  store: IdempotencyStore,
  request: KeyedRequest,
  mutation: Mutation,
): Promise<WriteOutcome> {
  const row = toRow(store, request)
  const stored = await findInShortcut(store, row.key, request.requestHash)
  const outcome = stored ?? (await write(store, { request, row, mutation }))
  store.counters.outcomes.inc({ outcome: outcome.kind })
  return outcome
}

interface Write {
  readonly request: KeyedRequest
  readonly row: RequestRow
  readonly mutation: Mutation
}

async function write(store: IdempotencyStore, work: Write): Promise<WriteOutcome> {
  const { request, row, mutation } = work
  const response = renderResponse(mutation.response)
  const result = {
    status: response.status,
    payload: sealResponse(store.records, row.key, response),
  }
  const statement = mutationStatement(insertCompleted(row, result), mutation)
  const db = store.db.scoped(row.tenantId, request)
  const rows = await nullWithoutEffect(db.query(statement))
  if (rows === null) return { kind: 'no_effect' }
  if (rows.length === 0) return writeUnderClaim(store, work)
  mutation.afterCommit?.()
  return { kind: 'done', response }
}

/** The key exists: mostly a replay, else an unfinished attempt or an expired generation. */
async function writeUnderClaim(store: IdempotencyStore, work: Write): Promise<WriteOutcome> {
  const { request, row, mutation } = work
  const outcome = await claimInPostgres(store, { ...request, leaseMs: LEASE_MS }, row)
  if (outcome.kind !== 'claimed') return outcome
  const { claim } = outcome
  try {
    await claim.complete(mutation)
  } finally {
    if (claim.response === null) await claim.abandon().catch(() => undefined)
  }
  const { response } = claim
  return response === null ? { kind: 'no_effect' } : { kind: 'done', response }
}
