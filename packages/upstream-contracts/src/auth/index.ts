export type { CallingService, ServiceAuth, ServiceVerifier } from './service-auth.ts'
export { sharedSecretAuth, sharedSecretVerifier } from './shared-secret.ts'
