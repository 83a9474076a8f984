import { inspect } from 'node:util'
import { eventually } from '@melmastoon/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type GoogleIdTokenOptions,
  googleIdTokenAuth,
  googleIdTokenVerifier,
  type ServiceAuth,
} from '../../src/auth/index.ts'
import { ACCOUNT, type Google, startGoogle } from './start-google.ts'

const AUDIENCE = 'https://tenant.melmastoon.internal'
const UNAVAILABLE = 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'

/** Long enough for a busy machine. */
const LONG_TIMEOUT_MS = 10_000
/** For a server that never responds. */
const SHORT_TIMEOUT_MS = 200

let google: Google
let auth: ServiceAuth
const errors: unknown[] = []

beforeEach(async () => {
  google = await startGoogle()
  errors.length = 0
})

afterEach(async () => {
  auth[Symbol.dispose]()
  await google[Symbol.asyncDispose]()
})

function makeAuth(options: Partial<GoogleIdTokenOptions> = {}) {
  auth = googleIdTokenAuth({
    audience: AUDIENCE,
    metadataUrl: google.url,
    timeoutMs: LONG_TIMEOUT_MS,
    retryAfterMs: [1, 1],
    nextRoundMs: 50,
    onError: (error) => errors.push(error),
    ...options,
  })
  return auth
}

function makeVerifier(timeoutMs = LONG_TIMEOUT_MS) {
  return googleIdTokenVerifier({
    audience: AUDIENCE,
    jwksUrl: google.jwksUrl,
    serviceAccounts: { [ACCOUNT]: 'bff-consumer-service' },
    cooldownMs: 0,
    timeoutMs,
  })
}

describe('the identity token', () => {
  it('is requested once, however often it is sent', async () => {
    const { ready, headers } = makeAuth()
    await Promise.all([ready(), ready()])
    const sent = new Set(Array.from({ length: 100 }, () => headers()['authorization']))
    expect(sent.size).toBe(1)
    expect(google.requests).toEqual([
      '/computeMetadata/v1/instance/service-accounts/default/identity',
    ])
  })

  it('is replaced before it expires, so that a valid one is always available', async () => {
    google.lifeMs = 2_500
    const { ready, headers } = makeAuth({ refreshBeforeMs: 2_000 })
    await ready()
    const first = headers()['authorization']
    await eventually(
      () => {
        expect(headers()['authorization']).not.toBe(first)
      },
      { timeoutMs: 2_000, intervalMs: 5 },
    )
  })

  it('is used until it expires while Google is unavailable, and replaced after recovery', async () => {
    google.lifeMs = 2_000
    const { ready, headers } = makeAuth({ refreshBeforeMs: 1_900 })
    await ready()
    google.mode = 'failing'
    await eventually(() => expect(errors.length).toBeGreaterThan(1))
    expect(headers()).toEqual({ authorization: expect.stringMatching(/^Bearer /) })
    await eventually(() => expect(() => headers()).toThrow(UNAVAILABLE), { timeoutMs: 4_000 })
    google.mode = 'well'
    google.lifeMs = 60_000
    await eventually(() => expect(headers()).toHaveProperty('authorization'))
  })

  it('is requested again a limited number of times after a failure', async () => {
    google.mode = 'failing'
    const { ready, headers } = makeAuth({ nextRoundMs: 60_000 })
    await expect(ready()).rejects.toMatchObject({ code: UNAVAILABLE })
    expect(google.requests).toHaveLength(3)
    expect(() => headers()).toThrow(UNAVAILABLE)
  })

  it.each(['hanging', 'impostor', 'garbage'] as const)(
    'is not accepted from a server that is %s',
    async (mode) => {
      google.mode = mode
      const timeoutMs = mode === 'hanging' ? SHORT_TIMEOUT_MS : LONG_TIMEOUT_MS
      const { ready } = makeAuth({ retryAfterMs: [], timeoutMs })
      await expect(ready()).rejects.toMatchObject({ code: UNAVAILABLE })
    },
  )

  it('is not part of any error', async () => {
    google.mode = 'impostor'
    const { ready } = makeAuth({ retryAfterMs: [] })
    const failure: unknown = await ready().catch((error: unknown) => error)
    expect(inspect(failure, { depth: null })).not.toMatch(/eyJ/)
  })
})

describe('the verifier', () => {
  beforeEach(() => {
    makeAuth()
  })

  it('loads a new key of Google on first use', async () => {
    const verifier = makeVerifier()
    const before = await google.sign({ audience: AUDIENCE })
    await verifier.verify({ authorization: `Bearer ${before}` })
    await google.rotate()
    const after = await google.sign({ audience: AUDIENCE })
    expect(await verifier.verify({ authorization: `Bearer ${after}` })).toEqual({
      service: 'bff-consumer-service',
    })
    await verifier.verify({ authorization: `Bearer ${before}` })
  })

  it.each(['failing', 'hanging'] as const)(
    'does not reject a token as invalid while the keys are %s',
    async (mode) => {
      google.mode = mode
      const token = await google.sign({ audience: AUDIENCE })
      const timeoutMs = mode === 'hanging' ? SHORT_TIMEOUT_MS : LONG_TIMEOUT_MS
      const verifying = makeVerifier(timeoutMs).verify({ authorization: `Bearer ${token}` })
      await expect(verifying).rejects.toMatchObject({ code: UNAVAILABLE })
    },
  )

  it('requests the keys once for many tokens', async () => {
    const verifier = makeVerifier()
    const token = await google.sign({ audience: AUDIENCE })
    const calls = Array.from({ length: 20 }, () =>
      verifier.verify({ authorization: `Bearer ${token}` }),
    )
    await Promise.all(calls)
    expect(google.requests).toEqual(['/certs'])
  })
})
