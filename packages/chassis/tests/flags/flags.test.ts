import { testRedis } from '@melmastoon/testkit'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { createFlags } from '../../src/flags/index.ts'
import { createRedis } from '../../src/redis/index.ts'

const Schema = Type.Object({
  campaignMode: Type.Boolean(),
  sampleRate: Type.Number({ minimum: 0, maximum: 1 }),
})
const defaults = { campaignMode: false, sampleRate: 1 }

it('reads the value when it is created, without waiting for a poll', async () => {
  const { cacheUrl } = await testRedis()
  const redis = createRedis(cacheUrl, { name: 'flags-test', onError: () => undefined })
  await redis.set('bff-flags', '{"campaignMode":true}')
  using flags = createFlags({ redis, key: 'bff-flags', schema: Schema, defaults })
  await expect.poll(() => flags.current().campaignMode).toBe(true)
  redis.disconnect()
})

it('follows Redis, retains the last valid value, and returns to the defaults without the key', async () => {
  const { cacheUrl } = await testRedis()
  const redis = createRedis(cacheUrl, { name: 'flags-test', onError: () => undefined })
  const rejected: string[] = []
  using flags = createFlags({
    redis,
    key: 'bff-flags',
    schema: Schema,
    defaults,
    pollMs: 20,
    onRejected: (reason) => rejected.push(reason),
  })
  expect(flags.current()).toEqual(defaults)

  await redis.set('bff-flags', '{"campaignMode":true}')
  await expect.poll(() => flags.current()).toEqual({ campaignMode: true, sampleRate: 1 })

  await redis.set('bff-flags', '{"campaignMode":true,"sampleRate":7}')
  await expect.poll(() => rejected).toContain('/sampleRate')
  await redis.set('bff-flags', '{{')
  await expect.poll(() => rejected).toContain('not JSON')
  expect(flags.current()).toEqual({ campaignMode: true, sampleRate: 1 })

  await redis.del('bff-flags')
  await expect.poll(() => flags.current()).toEqual(defaults)

  await redis.set('bff-flags', '{"campaignMode":true}')
  await expect.poll(() => flags.current().campaignMode).toBe(true)
  redis.disconnect()
  await expect.poll(() => rejected).toContain('not readable')
  expect(flags.current().campaignMode).toBe(true)
})
