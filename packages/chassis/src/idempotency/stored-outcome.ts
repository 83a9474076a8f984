import type { TimeLimit } from '../clock/index.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { IdempotencyStore } from './idempotency.ts'
import { type ExistingRow, type RequestRow, readByCallerKey, readRow } from './idempotency-sql.ts'
import type { RecordProtection } from './record-protection.ts'
import { type CallerScope, callerKey, type IdempotencyScope, scopeKey } from './scope.ts'
import { openResponse, type StoredResponse } from './stored-response.ts'

/** One request with an idempotency key, as every function of this module takes it. */
export interface KeyedRequest {
  readonly scope: IdempotencyScope
  readonly requestHash: Fingerprint
  /** How long the result is replayed. */
  readonly ttlMs: number
  readonly deadline?: TimeLimit | undefined
}

/** Why a request is not executed now. */
export type StoredOutcome =
  | { readonly kind: 'replay'; readonly response: StoredResponse }
  | { readonly kind: 'in_flight'; readonly retryAfterSeconds: number }
  | { readonly kind: 'reused' }

type Evaluation =
  | StoredOutcome
  /** Unfinished and free, but recorded under an older fingerprint: claim it under that one. */
  | { readonly kind: 'resume'; readonly version: number; readonly value: string }

/** A request by the stored form of its scope. */
interface StoredRequest {
  readonly key: string
  readonly request: Fingerprint
}

const RETRY_AFTER_SECONDS = 1
export const IN_FLIGHT: StoredOutcome = {
  kind: 'in_flight',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
}

/** What an existing row means for this request. An unknown fingerprint version never matches. */
export function evaluateRow(
  { records }: Pick<IdempotencyStore, 'records'>,
  keyed: StoredRequest,
  row: ExistingRow,
): Evaluation {
  const { key } = keyed
  const version = row.hash_version
  const value = hashAt(records, keyed, version)
  if (value === null || row.request_hash !== value) return { kind: 'reused' }
  const { status_code: status, response: payload } = row
  if (status !== null && payload !== null) {
    return { kind: 'replay', response: openResponse(records, key, { status, payload }) }
  }
  return row.lease_ended ? { kind: 'resume', version, value } : IN_FLIGHT
}

/** The hash that a row of this version has if it is of the same request. */
export function hashAt(
  records: RecordProtection,
  { key, request }: StoredRequest,
  version: number,
): string | null {
  const value = version === request.version ? request.value : request.valueAt(version)
  return value === null ? null : records.requestHash(key, version, value)
}

export function toRow(store: IdempotencyStore, request: KeyedRequest): RequestRow {
  const { scope, requestHash, ttlMs } = request
  const { tenantId, deviceId = null, operatorId = null } = scope
  const key = scopeKey(scope)
  const { version, value } = requestHash
  return {
    table: store.table,
    tenantId,
    key,
    requestHash: store.records.requestHash(key, version, value),
    hashVersion: version,
    ttlMs,
    deviceId,
    operatorId,
  }
}

/**
 * The stored outcome of this request, without executing it; null while the key is unused. Called
 * before a request is rejected without a statement: a stored response takes precedence over the
 * rejection of a retry.
 */
export async function findStored(
  store: IdempotencyStore,
  request: KeyedRequest,
): Promise<StoredOutcome | null> {
  const { scope, deadline } = request
  const wanted = toRow(store, request)
  const [row] = await store.db.scoped(scope.tenantId, { deadline }).query(readRow(wanted))
  if (row === undefined || (row.expired && row.lease_ended)) return null
  const outcome = evaluateRow(store, { key: wanted.key, request: request.requestHash }, row)
  if (outcome.kind === 'resume') return null
  store.counters.outcomes.inc({ outcome: outcome.kind })
  return outcome
}

export interface KeyUse {
  readonly operation: string
  /** Null while the request is being executed. */
  readonly status: number | null
}

/** "Did my request arrive?" (D24): every operation for which this caller used the key. */
export async function lookupKey(
  store: IdempotencyStore,
  caller: CallerScope,
  deadline?: TimeLimit,
): Promise<KeyUse[]> {
  const { tenantId } = caller
  const prefix = callerKey(caller)
  const statement = readByCallerKey({ table: store.table, tenantId }, prefix)
  const rows = await store.db.scoped(tenantId, { deadline }).query(statement)
  return rows.map(({ key, status_code }) => ({
    operation: key.slice(prefix.length + 1),
    status: status_code,
  }))
}
