export { decodeBase64url, equalBytes, equalText } from './bytes.ts'
export {
  type HandoffCampaign,
  type HandoffFields,
  type HandoffOffer,
  type HandoffTimes,
  NO_OFFER,
  type ShownPrice,
} from './handoff-lines.ts'
export {
  HANDOFF_LIFETIME_MS,
  HANDOFF_SKEW_MS,
  type HandoffAudience,
  type HandoffRejections,
  type MintedHandoff,
  mintHandoff,
  type VerifiedHandoff,
  verifyHandoff,
} from './handoff-token.ts'
export { KeyRing, type KeyState, type RingKey } from './key-ring.ts'
export { derivedKey, KeyedHash, networkOf } from './keyed-hash.ts'
export {
  PROOF_FUTURE_SKEW_SECONDS,
  PROOF_MAX_AGE_SECONDS,
  PROOF_REPLAY_TTL_MS,
  type ProofRequest,
  type VerifiedProof,
  verifyProof,
} from './proof.ts'
export { ProofKeyCache } from './proof-key-cache.ts'
export { PROOF_NONCE_STEP_MS, proofNonces, type ReplayStore, replayKey } from './proof-replay.ts'
export { open, openJson, SealedBoxError, seal, sealJson } from './sealed-box.ts'
export { SessionCookies } from './session-cookies.ts'
export {
  type ReceivedWebhook,
  signWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TOLERANCE_MS,
  webhookKeys,
} from './webhook-signature.ts'
