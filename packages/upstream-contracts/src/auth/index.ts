export { type GoogleIdTokenOptions, googleIdTokenAuth } from './google-id-token-auth.ts'
export {
  type GoogleIdTokenVerifierOptions,
  googleIdTokenVerifier,
} from './google-id-token-verifier.ts'
export type { CallingService, ServiceAuth, ServiceVerifier } from './service-auth.ts'
export { sharedSecretAuth, sharedSecretVerifier } from './shared-secret.ts'
