export { decodeBase64url } from './base64url.ts'
export { equalBytes, equalText } from './constant-time.ts'
export { derivedKey } from './derived-key.ts'
export type {
  HandoffCampaign,
  HandoffFields,
  HandoffTimes,
} from './handoff-lines.ts'
export {
  HANDOFF_LIFETIME_MS,
  HANDOFF_SKEW_MS,
  type HandoffAudience,
  type MintedHandoff,
  mintHandoff,
  type VerifiedHandoff,
  verifyHandoff,
} from './handoff-token.ts'
export { KeyRing, type KeyState, type RingKey } from './key-ring.ts'
export { KeyedHash, networkOf } from './keyed-hash.ts'
export {
  PROOF_FUTURE_SKEW_SECONDS,
  PROOF_MAX_AGE_SECONDS,
  PROOF_REPLAY_TTL_MS,
  type ProofRequest,
  type VerifiedProof,
  verifyProof,
} from './proof.ts'
export { ProofKeyCache } from './proof-key-cache.ts'
export { PROOF_NONCE_STEP_MS, proofNonces } from './proof-nonce.ts'
export { type ReplayStore, replayKey } from './replay-store.ts'
export {
  newSecretCookie,
  type PresentedSecret,
  parseSecretCookie,
  type SecretCookie,
} from './secret-token.ts'
export {
  type ReceivedWebhook,
  signWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TOLERANCE_MS,
  webhookKeys,
} from './webhook-signature.ts'
