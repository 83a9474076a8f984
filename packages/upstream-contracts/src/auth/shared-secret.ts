import { problem } from '@melmastoon/domain'
import { equalText } from '@melmastoon/security'
import type { ServiceAuth, ServiceVerifier } from './service-auth.ts'

const SERVICE_HEADER = 'x-calling-service'
const SERVICE_NAME = /^[a-z][a-z0-9-]{1,62}$/

/** For a single machine and for tests; deployed services use a Google ID token. */
export function sharedSecretAuth(service: string, secret: string): ServiceAuth {
  const headers = { authorization: `Bearer ${secret}`, [SERVICE_HEADER]: service }
  return { ready: async () => undefined, headers: () => headers, [Symbol.dispose]: () => undefined }
}

export function sharedSecretVerifier(secret: string): ServiceVerifier {
  if (secret === '') throw new TypeError('secret must not be empty')
  const expected = `Bearer ${secret}`
  return {
    async verify(headers) {
      const given = headers['authorization']
      const service = headers[SERVICE_HEADER]
      const isKnown = typeof given === 'string' && equalText(given, expected)
      if (!isKnown || typeof service !== 'string' || !SERVICE_NAME.test(service)) {
        throw problem('MELMASTOON.GENERAL.UNAUTHENTICATED')
      }
      return { service }
    },
  }
}
