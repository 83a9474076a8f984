import type { Fingerprint } from './fingerprint.ts'
import type { ExistingRow } from './sql/claim-row.ts'
import { decodeResponse, type StoredResponse } from './stored-response.ts'

/** Why a request is not carried out now. */
export type ReplayOutcome =
  | { readonly kind: 'replay'; readonly response: StoredResponse }
  | { readonly kind: 'in_flight'; readonly retryAfterSeconds: number }
  | { readonly kind: 'reused' }

export type Verdict =
  | ReplayOutcome
  /** Unfinished and free, but recorded under an older fingerprint: claim it under that one. */
  | { readonly kind: 'resume'; readonly version: number; readonly value: string }

const RETRY_AFTER_SECONDS = 1
export const IN_FLIGHT: ReplayOutcome = {
  kind: 'in_flight',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
}

/** What the row in the way means for this request. A version we no longer know never matches. */
export function judgeRow(row: ExistingRow, request: Fingerprint): Verdict {
  const version = row.hash_version
  const value = version === request.version ? request.value : request.valueAt(version)
  if (value === null || row.request_hash !== value) return { kind: 'reused' }
  if (row.status_code !== null && row.response !== null) {
    return { kind: 'replay', response: decodeResponse(row.status_code, row.response) }
  }
  return row.lapsed ? { kind: 'resume', version, value } : IN_FLIGHT
}
