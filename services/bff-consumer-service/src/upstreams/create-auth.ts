import {
  googleIdTokenAuth,
  type ServiceAuth,
  sharedSecretAuth,
} from '@melmastoon/upstream-contracts/auth'
import type { ConsumerConfig } from '../config.ts'

export interface AuthOptions {
  /** Whom a token is for: the address of the upstream. */
  readonly audience: string
  readonly onError: (error: unknown) => void
}

export function createAuth(config: ConsumerConfig, options: AuthOptions): ServiceAuth {
  const { service: secret } = config.secrets
  if (config.serviceAuth === 'google-id-token') return googleIdTokenAuth(options)
  if (secret === undefined) throw new TypeError('the configuration has no service secret')
  return sharedSecretAuth(config.service, secret.reveal())
}
