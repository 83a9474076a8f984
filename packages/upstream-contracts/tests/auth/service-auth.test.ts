import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  googleIdTokenAuth,
  googleIdTokenVerifier,
  type ServiceAuth,
  type ServiceVerifier,
  sharedSecretAuth,
  sharedSecretVerifier,
} from '../../src/auth/index.ts'
import { ACCOUNT, type Google, startGoogle } from './start-google.ts'

const AUDIENCE = 'https://tenant.melmastoon.internal'
const SECRET = 'a secret between services, long enough'

interface Pair extends AsyncDisposable {
  auth: ServiceAuth
  verifier: ServiceVerifier
  /** Credentials that must be rejected, by what is wrong with them. */
  invalid: Record<string, Record<string, string | string[]>>
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function sharedSecret(): Pair {
  const named = { 'x-calling-service': 'bff-consumer-service' }
  return {
    auth: sharedSecretAuth('bff-consumer-service', SECRET),
    verifier: sharedSecretVerifier(SECRET),
    invalid: {
      missing: named,
      wrong: { ...named, ...bearer(`${SECRET}!`) },
      'with another secret': sharedSecretAuth('bff-consumer-service', 'another secret').headers(),
      'without a service name': bearer(SECRET),
      'from an unknown account': sharedSecretAuth('Robert; drop', SECRET).headers(),
      'of another scheme': { ...named, authorization: `Basic ${SECRET}` },
      'in another letter case': { ...named, ...bearer(SECRET.toUpperCase()) },
      'with the scheme only': { ...named, authorization: 'Bearer ' },
      'one of several': { ...named, authorization: [`Bearer ${SECRET}`] },
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

async function googleIdToken(): Promise<Pair> {
  const google: Google = await startGoogle()
  const rogue: Google = await startGoogle()
  const auth = googleIdTokenAuth({ audience: AUDIENCE, metadataUrl: google.url })
  const good = await google.sign({ audience: AUDIENCE })
  return {
    auth,
    verifier: googleIdTokenVerifier({
      audience: AUDIENCE,
      jwksUrl: google.jwksUrl,
      serviceAccounts: { [ACCOUNT]: 'bff-consumer-service' },
    }),
    invalid: {
      missing: {},
      wrong: bearer(`${good.slice(0, -8)}AAAAAAAA`),
      expired: bearer(await google.sign({ audience: AUDIENCE, lifeMs: -60_000 })),
      'for another audience': bearer(await google.sign({ audience: 'https://theme.example' })),
      'from an unknown account': bearer(
        await google.sign({ audience: AUDIENCE, email: 'other@example.com' }),
      ),
      'from an account of the prototype': bearer(
        await google.sign({ audience: AUDIENCE, email: 'constructor' }),
      ),
      'of an unverified address': bearer(
        await google.sign({ audience: AUDIENCE, emailVerified: false }),
      ),
      'of another issuer': bearer(
        await google.sign({ audience: AUDIENCE, issuer: 'https://example.com' }),
      ),
      'signed by another issuer': bearer(await rogue.sign({ audience: AUDIENCE })),
      'not signed': bearer(`${btoa('{"alg":"none"}').replaceAll('=', '')}.e30.AA`),
      'of another scheme': { authorization: `Basic ${good}` },
    },
    async [Symbol.asyncDispose]() {
      auth[Symbol.dispose]()
      await google[Symbol.asyncDispose]()
      await rogue[Symbol.asyncDispose]()
    },
  }
}

describe.each([
  ['a shared secret', sharedSecret],
  ['a Google ID token', googleIdToken],
])('%s', (_name, make) => {
  let pair: Pair
  beforeAll(async () => {
    pair = await make()
  })
  afterAll(() => pair[Symbol.asyncDispose]())

  it('identifies the calling service', async () => {
    await pair.auth.ready()
    expect(await pair.verifier.verify(pair.auth.headers())).toEqual({
      service: 'bff-consumer-service',
    })
  })

  it('is rejected when anything about it is wrong, without details', async () => {
    for (const [what, headers] of Object.entries(pair.invalid)) {
      const rejection = await pair.verifier.verify(headers).catch((error: unknown) => error)
      expect(rejection, what).toMatchObject({ code: 'MELMASTOON.GENERAL.UNAUTHENTICATED' })
      expect(rejection, what).not.toHaveProperty('cause')
    }
  })
})

it('must not be empty', () => {
  expect(() => sharedSecretVerifier('')).toThrow(TypeError)
})
