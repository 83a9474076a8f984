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

/** Long enough for a very busy machine. */
const PATIENT_MS = 10_000
/** For a server that never answers. */
const HASTY_MS = 200

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
    timeoutMs: PATIENT_MS,
    retryAfterMs: [1, 1],
    nextRoundMs: 50,
    onError: (error) => errors.push(error),
    ...options,
  })
  return auth
}

function makeVerifier(timeoutMs = PATIENT_MS) {
  return googleIdTokenVerifier({
    audience: AUDIENCE,
    jwksUrl: google.jwksUrl,
    serviceAccounts: { [ACCOUNT]: 'bff-consumer-service' },
    cooldownMs: 0,
    timeoutMs,
  })
}

describe('the token of this machine', () => {
  it('is asked for once, however often it is sent', async () => {
    const { ready, headers } = makeAuth()
    await Promise.all([ready(), ready()])
    const sent = new Set(Array.from({ length: 100 }, () => headers()['authorization']))
    expect(sent.size).toBe(1)
    expect(google.requests).toEqual([
      '/computeMetadata/v1/instance/service-accounts/default/identity',
    ])
  })

  it('is replaced before its end, and there is one to send at every moment', async () => {
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

  it('goes on being sent while Google is away, until it ends, and comes back with Google', async () => {
    google.lifeMs = 2_000
    const { ready, headers } = makeAuth({ refreshBeforeMs: 1_900 })
    await ready()
    google.mood = 'failing'
    await eventually(() => expect(errors.length).toBeGreaterThan(1))
    expect(headers()).toEqual({ authorization: expect.stringMatching(/^Bearer /) })
    await eventually(() => expect(() => headers()).toThrow(UNAVAILABLE), { timeoutMs: 4_000 })
    google.mood = 'well'
    google.lifeMs = 60_000
    await eventually(() => expect(headers()).toHaveProperty('authorization'))
  })

  it('is asked for again a few times when the first answer fails, and not for ever', async () => {
    google.mood = 'failing'
    const { ready, headers } = makeAuth({ nextRoundMs: 60_000 })
    await expect(ready()).rejects.toMatchObject({ code: UNAVAILABLE })
    expect(google.requests).toHaveLength(3)
    expect(() => headers()).toThrow(UNAVAILABLE)
  })

  it.each(['hanging', 'impostor', 'garbage'] as const)(
    'is not taken from a server that is %s',
    async (mood) => {
      google.mood = mood
      const timeoutMs = mood === 'hanging' ? HASTY_MS : PATIENT_MS
      const { ready } = makeAuth({ retryAfterMs: [], timeoutMs })
      await expect(ready()).rejects.toMatchObject({ code: UNAVAILABLE })
    },
  )

  it('is in no error', async () => {
    google.mood = 'impostor'
    const { ready } = makeAuth({ retryAfterMs: [] })
    const failure: unknown = await ready().catch((error: unknown) => error)
    expect(inspect(failure, { depth: null })).not.toMatch(/eyJ/)
  })
})

describe('the verifier', () => {
  beforeEach(() => {
    makeAuth()
  })

  it('knows a new key of Google when it meets it', async () => {
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
    'blames nobody for a token while the keys are %s',
    async (mood) => {
      google.mood = mood
      const token = await google.sign({ audience: AUDIENCE })
      const timeoutMs = mood === 'hanging' ? HASTY_MS : PATIENT_MS
      const verifying = makeVerifier(timeoutMs).verify({ authorization: `Bearer ${token}` })
      await expect(verifying).rejects.toMatchObject({ code: UNAVAILABLE })
    },
  )

  it('asks for the keys once for many tokens', async () => {
    const verifier = makeVerifier()
    const token = await google.sign({ audience: AUDIENCE })
    const calls = Array.from({ length: 20 }, () =>
      verifier.verify({ authorization: `Bearer ${token}` }),
    )
    await Promise.all(calls)
    expect(google.requests).toEqual(['/certs'])
  })
})
