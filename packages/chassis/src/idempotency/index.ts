export {
  type Claim,
  type ClaimOutcome,
  type ClaimRequest,
  claim,
  type RecoveryData,
} from './claim.ts'
export {
  FINGERPRINT_VERSIONS,
  type Fingerprint,
  type FingerprintVersions,
  fingerprint,
} from './fingerprint.ts'
export {
  createIdempotency,
  type IdempotencyOptions,
  type IdempotencyStore,
} from './idempotency.ts'
export { pruneIdempotency } from './idempotency-sql.ts'
export { finalAmong, finalRejectionSet, isStorable } from './is-storable.ts'
export { type Mutation, rejectionOf } from './mutation.ts'
export { chooseKey, normalizeKey, pathKey } from './normalize-key.ts'
export {
  createReplayShortcut,
  type ReplayRedis,
  type ReplayShortcut,
  type ReplayShortcutOptions,
} from './replay-shortcut.ts'
export { type CallerScope, type IdempotencyScope, scopeKey } from './scope.ts'
export {
  findStored,
  type KeyedRequest,
  type KeyUse,
  lookupKey,
  type StoredOutcome,
} from './stored-outcome.ts'
export {
  BODY_BYTES_MAX,
  type ResponseDraft,
  renderResponse,
  type StoredResponse,
} from './stored-response.ts'
export { type WriteOutcome, writeOnce } from './write-once.ts'
