import { randomUUID } from 'node:crypto'
import { type ReplayStore, replayKey } from '@melmastoon/security'
import { testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeySpace, createRedis, type Redis } from '../../src/redis/index.ts'
import { createReplayStoreMemory, createReplayStoreRedis } from '../../src/sessions/index.ts'

let redis: Redis

beforeAll(async () => {
  const { sessionUrl } = await testRedis()
  redis = createRedis(sessionUrl, { name: 'replay-test', onError: () => undefined })
})
afterAll(() => redis.disconnect())

const stores: [string, () => ReplayStore][] = [
  ['memory', () => createReplayStoreMemory()],
  ['redis', () => createReplayStoreRedis(redis, createKeySpace('test-service').prefix('replay'))],
]

describe.each(stores)('a replay store in %s', (_name, create) => {
  it('SEC-D21 accepts one of a hundred concurrent uses', async () => {
    const store = create()
    const key = replayKey({ jkt: 'k', htu: 'https://h/x', jti: randomUUID() })
    const uses = await Promise.all(Array.from({ length: 100 }, () => store.claim(key, 60_000)))
    expect(uses.filter(Boolean)).toHaveLength(1)
  })

  it('counts a proof once per key and target', async () => {
    const store = create()
    const jti = randomUUID()
    const proofs = [
      { jkt: 'a', htu: 'https://h/x', jti },
      { jkt: 'b', htu: 'https://h/x', jti },
      { jkt: 'a', htu: 'https://h/y', jti },
    ]
    for (const proof of proofs) expect(await store.claim(replayKey(proof), 60_000)).toBe(true)
    for (const proof of proofs) expect(await store.claim(replayKey(proof), 60_000)).toBe(false)
  })

  it('forgets a key after its TTL', async () => {
    const store = create()
    const key = randomUUID()
    expect(await store.claim(key, 40)).toBe(true)
    await expect.poll(() => store.claim(key, 40), { interval: 50 }).toBe(true)
  })
})

it('control: a check followed by a write accepts several', async () => {
  const key = `unsafe:${randomUUID()}`
  const uses = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const isFirst = (await redis.get(key)) === null
      await redis.set(key, '1')
      return isFirst
    }),
  )
  expect(uses.filter(Boolean).length).toBeGreaterThan(1)
})

it('rejects while the store is unavailable', async () => {
  const gone = createRedis('redis://127.0.0.1:1', {
    name: 'gone',
    onError: () => undefined,
    commandTimeoutMs: 100,
  })
  await expect(
    createReplayStoreRedis(gone, createKeySpace('test-service').prefix('replay')).claim('k', 1_000),
  ).rejects.toMatchObject({
    code: 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
  })
  gone.disconnect()
})
