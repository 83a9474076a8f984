import { createService } from '@melmastoon/chassis/service'
import { freePort } from '@melmastoon/one-machine'
import { eventually, spawnProcess } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consumerConfig } from '../../src/config.ts'
import { STAY } from '../../src/http/examples/example-stay.ts'
import { service } from '../../src/service.ts'
import { type FakeUpstreams, startFakeUpstreams } from '../harness/fake-upstreams/index.ts'
import {
  consumerEnvironment,
  createGuest,
  dayFromNow,
  searchRequest,
  type TestEnvironment,
} from '../harness/start-consumer.ts'

const ENTRY = new URL('../../src/main.ts', import.meta.url)

let upstreams: FakeUpstreams
let environment: TestEnvironment

beforeAll(async () => {
  upstreams = await startFakeUpstreams()
  environment = await consumerEnvironment(upstreams)
})
afterAll(async () => {
  await environment[Symbol.asyncDispose]()
  await upstreams[Symbol.asyncDispose]()
})

describe('the process', () => {
  it('on SIGTERM finishes its requests, writes pending telemetry and exits with 0', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    await using child = spawnProcess(ENTRY, { env: { ...environment.env, PORT: String(port) } })
    await eventually(async () => expect((await fetch(`${url}/health/ready`)).status).toBe(200), {
      timeoutMs: 20_000,
    })
    const guest = await createGuest(url)
    upstreams.behaviour.search.delayMs = 700
    const inFlight = guest.search(searchRequest())
    await expect.poll(() => upstreams.count('search')).toBe(1)
    const exit = child.kill('SIGTERM')
    expect((await inFlight).status).toBe(200)
    expect(await exit).toMatchObject({ code: 0 })
    const [row] = await environment.query<{
      n: number
    }>(`select (select count(*) from bff_consumer.outbox)
            + (select count(*) from bff_consumer.outbox_published) as n`)
    expect(Number(row?.n)).toBeGreaterThan(0)
  })
})

describe('the configuration', () => {
  it('reports all missing settings at once', () => {
    const missing = ['SEARCH_URL', 'PRICING_URL', 'THEME_URL', 'HASH_PEPPERS']
    for (const name of missing) expect(() => consumerConfig.read({})).toThrow(name)
  })

  it('requires a secret only where services authenticate with one', () => {
    const { SERVICE_SECRET: _none, ...env } = environment.env
    expect(() => consumerConfig.read(env)).toThrow('SERVICE_SECRET')
    const google = { ...env, SERVICE_AUTH: 'google-id-token' }
    for (const name of ['INTERNAL_URL', 'BOOKING_SERVICE_ACCOUNT']) {
      expect(() => consumerConfig.read(google)).toThrow(name)
    }
    const INTERNAL_URL = 'https://bff-consumer.example.internal'
    const BOOKING_SERVICE_ACCOUNT = 'booking@example.iam.gserviceaccount.com'
    const captcha = {
      CAPTCHA: 'recaptcha-enterprise',
      RECAPTCHA_PROJECT: 'example',
      RECAPTCHA_SITE_KEY: 'site-key',
      RECAPTCHA_HOSTNAMES: 'www.example.com',
      RECAPTCHA_API_KEY: 'a key that is long enough to be one',
    }
    const whole = { ...google, INTERNAL_URL, BOOKING_SERVICE_ACCOUNT, ...captcha }
    expect(consumerConfig.read(whole).serviceAuth).toBe('google-id-token')
  })
})

it('is documented at /docs', async () => {
  const { ctx, app } = await createService(service, environment.env)
  const response = await app.inject('/docs/json')
  const { body } = response
  const { paths } = response.json<{ paths: object }>()
  expect(body).toContain(`"checkIn":"${dayFromNow(30)}"`)
  expect(body).not.toContain(STAY.checkIn)
  expect(Object.keys(paths).map((path) => path.replace('/bff/consumer/v1', ''))).toEqual(
    expect.arrayContaining([
      '/session',
      '/search',
      '/search/map',
      '/hotels/{propertyId}',
      '/wishlist',
      '/compare',
      '/handoff/{tenantId}/{propertyId}',
    ]),
  )
  await app.close()
  await ctx[Symbol.asyncDispose]()
})
