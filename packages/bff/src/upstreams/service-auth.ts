import {
  googleIdTokenAuth,
  googleIdTokenVerifier,
  type ServiceAuth,
  type ServiceVerifier,
  sharedSecretAuth,
  sharedSecretVerifier,
} from '@melmastoon/upstream-contracts/auth'

/** How services authenticate each other: Google ID tokens, or a shared secret on one machine. */
export interface ServiceAuthConfig {
  readonly service: string
  readonly serviceAuth: 'shared-secret' | 'google-id-token'
  readonly secrets: { readonly service?: { reveal(): string } | undefined }
}

export interface ServiceAuthOptions {
  /** The audience of the token: the address of the upstream. */
  readonly audience: string
  readonly onError: (error: unknown) => void
}

/** Proves to an upstream which service is calling. */
export function createServiceAuth(
  config: ServiceAuthConfig,
  options: ServiceAuthOptions,
): ServiceAuth {
  if (config.serviceAuth === 'google-id-token') return googleIdTokenAuth(options)
  return sharedSecretAuth(config.service, serviceSecret(config))
}

export interface ServiceVerifierOptions {
  /** The address of the internal listener as callers know it. */
  readonly audience: string
  /** Service account → name of the service that runs as it. */
  readonly serviceAccounts: Readonly<Record<string, string>>
}

/** Verifies which service is calling the internal listener. */
export function createServiceVerifier(
  config: ServiceAuthConfig,
  options: ServiceVerifierOptions,
): ServiceVerifier {
  if (config.serviceAuth === 'google-id-token') return googleIdTokenVerifier(options)
  return sharedSecretVerifier(serviceSecret(config))
}

function serviceSecret({ secrets }: ServiceAuthConfig): string {
  if (secrets.service === undefined) throw new TypeError('the configuration has no service secret')
  return secrets.service.reveal()
}
