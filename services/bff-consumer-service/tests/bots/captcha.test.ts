import { createDeadline } from '@melmastoon/chassis/clock'
import { createKeySpace, createRedis, type Redis } from '@melmastoon/chassis/redis'
import { createTestClock, type TestClock, testRedis } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CaptchaVerifier } from '../../src/bots/captcha/captcha-verifier.ts'
import { createLocalCaptcha, type LocalCaptcha } from '../../src/bots/captcha/local-captcha.ts'
import { createRecaptchaEnterprise } from '../../src/bots/captcha/recaptcha-enterprise.ts'
import {
  API_KEY,
  type FakeGoogle,
  HOSTNAME,
  PROJECT,
  SITE_KEY,
  startFakeGoogle,
} from './fake-google.ts'

const ACTION = 'consumer_search_list'

const KEYS = createKeySpace('test-service')

let redis: Redis
let google: FakeGoogle
let clock: TestClock
let local: LocalCaptcha
let enterprise: CaptchaVerifier

const openEnterprise = (baseUrl: string) =>
  createRecaptchaEnterprise({
    project: PROJECT,
    siteKey: SITE_KEY,
    apiKey: API_KEY,
    hostnames: [HOSTNAME, 'io.ghasi.melmastoon'],
    baseUrl,
    halfOpenAfterMs: 50,
  })

beforeAll(async () => {
  const { sessionUrl } = await testRedis()
  redis = createRedis(sessionUrl, { name: 'captcha-test', onError: () => undefined })
  google = await startFakeGoogle()
  clock = createTestClock()
  local = createLocalCaptcha({
    redis,
    keys: KEYS,
    clock,
    secret: 'a secret for tests, long enough to be one',
  })
  enterprise = openEnterprise(google.url)
})
afterEach(() => {
  google.state.mode = 'normal'
})
afterAll(async () => {
  await enterprise[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
  redis.disconnect()
})

async function verify(verifier: CaptchaVerifier, token: string, action = ACTION) {
  using deadline = createDeadline(10_000)
  const attempt = { action, address: '203.0.113.9', userAgent: 'Mozilla/5.0', deadline }
  return await verifier.verify(token, attempt)
}

interface Subject {
  readonly verifier: () => CaptchaVerifier
  readonly solve: (action: string) => string
  readonly expired: () => string
}

const SUBJECTS: [string, Subject][] = [
  [
    'local',
    {
      verifier: () => local,
      solve: (action) => local.issue(action),
      expired() {
        const token = local.issue(ACTION)
        clock.advance(121_000)
        return token
      },
    },
  ],
  [
    'recaptcha-enterprise',
    {
      verifier: () => enterprise,
      solve: (action) => google.solve({ action }),
      expired: () => google.solve({ action: ACTION, isExpired: true }),
    },
  ],
]

describe.each(SUBJECTS)('C9 the verifier %s', (provider, { verifier, solve, expired }) => {
  it('has a provider and a site key for the page', () => {
    expect(verifier()).toMatchObject({ provider, siteKey: expect.stringMatching(/.+/) })
  })

  it('accepts a solved token once', async () => {
    const token = solve(ACTION)
    expect(await verify(verifier(), token)).toMatchObject({ ok: true })
    expect(await verify(verifier(), token)).toMatchObject({ ok: false })
  })

  it('accepts one of many concurrent attempts with one token', async () => {
    const token = solve(ACTION)
    const results = await Promise.all(Array.from({ length: 8 }, () => verify(verifier(), token)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
  })

  it('control: accepts every attempt with its own token', async () => {
    const tokens = Array.from({ length: 8 }, () => solve(ACTION))
    const results = await Promise.all(tokens.map((token) => verify(verifier(), token)))
    expect(results.every(({ ok }) => ok)).toBe(true)
  })

  it('rejects a token for another action', async () => {
    expect(await verify(verifier(), solve('consumer_handoff_mint'))).toMatchObject({ ok: false })
  })

  it('rejects an expired token', async () => {
    expect(await verify(verifier(), expired())).toMatchObject({ ok: false })
  })

  it.each(['', 'x', 'local..', 'a b', 'x'.repeat(9_000), 'local.1-aaaaaaaaaaaaaaaaaaaaaa.b'])(
    'rejects %j',
    async (token) => {
      expect(await verify(verifier(), token)).toEqual({ ok: false, score: 0 })
    },
  )

  it('returns a score within 0 and 1', async () => {
    const { score } = await verify(verifier(), solve(ACTION))
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThanOrEqual(1)
  })
})

describe('C9 the local verifier', () => {
  it('rejects tokens signed with another key, and changed ones', async () => {
    const forger = createLocalCaptcha({
      keys: KEYS,
      redis,
      clock,
      secret: 'another secret, as long as ours is',
    })
    expect(await verify(local, forger.issue(ACTION))).toMatchObject({ ok: false })
    const token = local.issue(ACTION)
    const later = token.replace(/^local\.\w+-/, 'local.zzzzzz-')
    expect(await verify(local, later)).toMatchObject({ ok: false })
    expect(await verify(local, token)).toMatchObject({ ok: true })
  })
})

describe('C9 reCAPTCHA Enterprise', () => {
  it.each([
    ['a low score', { action: ACTION, score: 0.3 }],
    ['no score', { action: ACTION, score: 0 }],
    ['another site', { action: ACTION, hostname: 'phishing.example' }],
    ['no site', { action: ACTION, hostname: '' }],
  ])('rejects %s', async (_what, solution) => {
    expect(await verify(enterprise, google.solve(solution))).toMatchObject({ ok: false })
  })

  it('accepts a token of our app', async () => {
    const app = { hostname: '', androidPackageName: 'io.ghasi.melmastoon' }
    const token = google.solve({ action: ACTION, ...app })
    expect(await verify(enterprise, token)).toMatchObject({ ok: true, score: 0.9 })
  })

  it('sends the request that Google documents, without key or token in the URL', async () => {
    const token = google.solve({ action: ACTION })
    await verify(enterprise, token)
    expect(google.requests.at(-1)).toEqual({
      token,
      siteKey: SITE_KEY,
      expectedAction: ACTION,
      userIpAddress: '203.0.113.9',
      userAgent: 'Mozilla/5.0',
    })
    expect(google.urls.at(-1)).toBe(`/v1/projects/${PROJECT}/assessments`)
  })

  it.each(['broken', 'silent', 'rejecting'] as const)(
    'throws while Google is %s, without the token in the error',
    async (mode) => {
      await using alone = openEnterprise(google.url)
      const token = google.solve({ action: ACTION })
      google.state.mode = mode
      const failure: unknown = await verify(alone, token).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(Error)
      expect(String((failure as Error).stack)).not.toContain(token)
    },
  )
})
