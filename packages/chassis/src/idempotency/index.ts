export { type ClaimOptions, type ClaimOutcome, claim } from './claim.ts'
export type { Claim, RecoveryData } from './claim-handle.ts'
export {
  FINGERPRINT_VERSIONS,
  type Fingerprint,
  type FingerprintVersions,
  fingerprint,
} from './fingerprint.ts'
export { finalRefusalSet, isStorable } from './is-storable.ts'
export type { ReplayOutcome } from './judge-row.ts'
export { type KeyState, lookupKey } from './lookup-key.ts'
export { chooseKey, normalizeKey } from './normalize-key.ts'
export {
  type OneStatementOptions,
  type OneStatementOutcome,
  oneStatement,
} from './one-statement.ts'
export {
  createReplayShortcut,
  type ReplayRedis,
  type ReplayShortcut,
  type ReplayShortcutOptions,
} from './replay-shortcut.ts'
export { type IdempotencyScope, scopeDigest } from './scope.ts'
export { pruneIdempotency } from './sql/prune-idempotency.ts'
export {
  createIdempotencyStore,
  type IdempotencyStore,
  type IdempotencyStoreOptions,
} from './store.ts'
export {
  BODY_BYTES_MAX,
  type ResponseDraft,
  renderResponse,
  type StoredResponse,
} from './stored-response.ts'
export type { WritePlan } from './write-plan.ts'
