import { crashPoint } from '../lifecycle/index.ts'
import { type Claim, HeldClaim } from './claim-handle.ts'
import type { Fingerprint } from './fingerprint.ts'
import { IN_FLIGHT, judgeRow, type ReplayOutcome } from './judge-row.ts'
import { type IdempotencyScope, scopeDigest } from './scope.ts'
import { type ClaimInput, claimRow, type ExistingRow } from './sql/claim-row.ts'
import type { IdempotencyStore } from './store.ts'
import { decodeResponse } from './stored-response.ts'

export type ClaimOutcome = { readonly kind: 'claimed'; readonly claim: Claim } | ReplayOutcome

export interface ClaimOptions {
  readonly requestHash: Fingerprint
  readonly leaseMs: number
  readonly ttlMs: number
}

/** Two rounds settle every race but one that is lost again and again; that one is told to wait. */
const ROUNDS_MAX = 4

/**
 * Takes the key, or says why not: its result is known, somebody works on it, or it stands for
 * another request. One round trip; a second one only when two claims cross.
 */
export async function claim(
  store: IdempotencyStore,
  scope: IdempotencyScope,
  options: ClaimOptions,
): Promise<ClaimOutcome> {
  const digest = scopeDigest(scope)
  const known = await findKnownResponse(store, digest, options.requestHash)
  const outcome = known ?? (await claimInPostgres(store, toInput(store, scope, digest), options))
  store.counters.outcomes.inc({ outcome: outcome.kind })
  if (outcome.kind === 'claimed') crashPoint('idempotency.after_claim')
  return outcome
}

export async function findKnownResponse(
  store: IdempotencyStore,
  digest: string,
  request: Fingerprint,
): Promise<ReplayOutcome | null> {
  const record = (await store.shortcut?.find(digest)) ?? null
  if (record === null) return null
  const { hashVersion: version, requestHash } = record
  const value = version === request.version ? request.value : request.valueAt(version)
  if (value !== requestHash) return null
  return { kind: 'replay', response: decodeResponse(record.status, record.payload) }
}

type ScopeInput = Omit<ClaimInput, 'requestHash' | 'hashVersion' | 'leaseMs' | 'ttlMs'>

export function toInput(
  store: IdempotencyStore,
  scope: IdempotencyScope,
  digest: string,
): ScopeInput {
  const { tenantId, deviceId = null, operatorId = null } = scope
  return { table: store.table, tenantId, digest, deviceId, operatorId }
}

export async function claimInPostgres(
  store: IdempotencyStore,
  scope: ScopeInput,
  { requestHash: request, leaseMs, ttlMs }: ClaimOptions,
): Promise<ClaimOutcome> {
  let { version, value } = request
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const input = { ...scope, requestHash: value, hashVersion: version, leaseMs, ttlMs }
    const [row] = await store.db.scoped(scope.tenantId).query(claimRow(input))
    if (row === undefined) continue
    if (row.claimed) return { kind: 'claimed', claim: new HeldClaim(store, input, row) }
    const verdict = judgeRow(row, request)
    if (verdict.kind !== 'resume') {
      if (verdict.kind === 'replay') keepReplayed(store, scope.digest, row)
      return verdict
    }
    version = verdict.version
    value = verdict.value
  }
  return IN_FLIGHT
}

function keepReplayed(store: IdempotencyStore, digest: string, row: ExistingRow): void {
  if (row.status_code === null || row.response === null) return
  const record = {
    requestHash: row.request_hash,
    hashVersion: row.hash_version,
    status: row.status_code,
    payload: row.response,
  }
  store.shortcut?.keep(digest, record, row.remaining_ms)
}
