import { hash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'

export interface FingerprintInput {
  /** What the route acts on, after validation and defaults. */
  readonly body: unknown
  readonly significantHeaders: Readonly<Record<string, string>>
}

export type FingerprintAlgorithm = (input: FingerprintInput) => string

/**
 * Decides whether two requests with one key are the same request. A stored record is compared by
 * the algorithm that it was stored with, so that a new version does not reject retries (IDEM-28).
 */
export interface Fingerprint {
  readonly version: number
  readonly value: string
  /** The same request under an older version, or `null` when that version was removed. */
  valueAt(version: number): string | null
}

export interface FingerprintVersions {
  readonly current: number
  readonly algorithms: Readonly<Record<number, FingerprintAlgorithm>>
}

export const FINGERPRINT_VERSIONS: FingerprintVersions = {
  current: 2,
  /** Version 1 is the same digest, stored without the key of the service. */
  algorithms: { 1: hashCanonicalRequest, 2: hashCanonicalRequest },
}

export function fingerprint(
  body: unknown,
  significantHeaders: Readonly<Record<string, string>> = {},
  versions: FingerprintVersions = FINGERPRINT_VERSIONS,
): Fingerprint {
  const input = { body, significantHeaders }
  const valueAt = (version: number) => versions.algorithms[version]?.(input) ?? null
  const value = valueAt(versions.current)
  if (value === null) throw new TypeError(`no fingerprint algorithm ${versions.current}`)
  return { version: versions.current, value, valueAt }
}

function hashCanonicalRequest(input: FingerprintInput): string {
  const text = canonicalJson({ v: 1, body: input.body, headers: input.significantHeaders })
  return hash('sha256', text, 'base64url')
}
