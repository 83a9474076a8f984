import {
  googleIdTokenVerifier,
  type ServiceVerifier,
  sharedSecretVerifier,
} from '@melmastoon/upstream-contracts/auth'
import type { ConsumerConfig } from '../config.ts'

/** Who calls the internal listener; the counterpart of how we prove ourselves to others. */
export function createVerifier(config: ConsumerConfig): ServiceVerifier {
  const { internalUrl = '', bookingServiceAccount, secrets } = config
  if (config.serviceAuth === 'google-id-token') {
    return googleIdTokenVerifier({
      audience: internalUrl,
      serviceAccounts: { [bookingServiceAccount]: 'bff-tenant-booking-service' },
    })
  }
  if (secrets.service === undefined) throw new TypeError('the configuration has no service secret')
  return sharedSecretVerifier(secrets.service.reveal())
}
