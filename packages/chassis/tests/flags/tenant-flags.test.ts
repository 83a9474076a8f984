import { newId } from '@melmastoon/domain'
import { isSampled } from '@melmastoon/events'
import { testRedis } from '@melmastoon/testkit'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTenantFlags, SAMPLE_RATES, type TenantFlags } from '../../src/flags/index.ts'
import { createRedis, type Redis, waitUntilReady } from '../../src/redis/index.ts'

const KEY = 'bff-tenant-flags'
const Schema = Type.Object(
  { flashSale: Type.Boolean(), sampleRates: SAMPLE_RATES },
  { additionalProperties: false },
)
const defaults = { flashSale: false, sampleRates: {} }
const [serena, kabul] = [newId('tnt'), newId('tnt')]

let redis: Redis
let flags: TenantFlags<{ flashSale: boolean; sampleRates: Record<string, number> }>
let rejected: string[]

beforeAll(async () => {
  const { cacheUrl } = await testRedis()
  redis = createRedis(cacheUrl, { name: 'flags-test', onError: () => undefined })
  await waitUntilReady(redis, 5_000)
})
afterAll(() => redis.disconnect())
beforeEach(async (context) => {
  await redis.del(KEY)
  rejected = []
  const onRejected = (reason: string) => rejected.push(reason)
  flags = createTenantFlags({ redis, key: KEY, schema: Schema, defaults, pollMs: 20, onRejected })
  context.onTestFinished(() => flags[Symbol.dispose]())
})

const publish = (document: unknown) => redis.set(KEY, JSON.stringify(document))

describe('flags per tenant', () => {
  it('are the defaults until a document is published, and after it was removed', async () => {
    expect([flags.current(), flags.of(serena)]).toEqual([defaults, defaults])
    await publish({ tenants: { [serena]: { flashSale: true } } })
    await expect.poll(() => flags.of(serena).flashSale).toBe(true)
    await redis.del(KEY)
    await expect.poll(() => flags.of(serena)).toEqual(defaults)
  })

  it('override those of all tenants for one tenant only', async () => {
    await publish({
      flashSale: true,
      sampleRates: { 'flow.step_completed.v1': 0.5 },
      tenants: { [serena]: { flashSale: false } },
    })
    await expect.poll(() => flags.current().flashSale).toBe(true)
    expect(flags.of(serena)).toEqual({
      flashSale: false,
      sampleRates: { 'flow.step_completed.v1': 0.5 },
    })
    expect(flags.of(kabul)).toEqual(flags.current())
  })

  it('T14 merge sample rates by subject', async () => {
    await publish({
      sampleRates: { a: 0, b: 0.5 },
      tenants: { [serena]: { sampleRates: { a: 1 } } },
    })
    await expect.poll(() => flags.of(serena).sampleRates).toEqual({ a: 1, b: 0.5 })
    expect(flags.of(kabul).sampleRates).toEqual({ a: 0, b: 0.5 })
    const sampledAt = (tenant: typeof serena) =>
      isSampled(flags.of(tenant).sampleRates['a'] ?? 1, 'a', 'session')
    expect([sampledAt(serena), sampledAt(kabul)]).toEqual([true, false])
  })

  it.each([
    ['a value of the wrong type', { flashSale: 'yes' }, '/flashSale'],
    ['a rate above 1', { sampleRates: { a: 2 } }, '/sampleRates/a'],
    ['a wrong value of one tenant', { tenants: { [kabul]: { flashSale: 1 } } }, '/flashSale'],
    ['an unknown flag of one tenant', { tenants: { [kabul]: { other: true } } }, ''],
    ['an invalid tenant id', { tenants: { kabul: {} } }, '/tenants'],
    ['tenants that are no object', { tenants: [] }, '/tenants'],
    ['a tenant that is no object', { tenants: { [kabul]: true } }, `/tenants/${kabul}`],
    ['no object at all', [], ''],
  ])('retain the last valid document with %s', async (_name, document, reason) => {
    await publish({ tenants: { [serena]: { flashSale: true } } })
    await expect.poll(() => flags.of(serena).flashSale).toBe(true)
    await publish(document)
    await expect.poll(() => rejected).toContain(reason)
    expect(flags.of(serena).flashSale).toBe(true)
    expect(flags.of(kabul)).toEqual(defaults)
  })
})
