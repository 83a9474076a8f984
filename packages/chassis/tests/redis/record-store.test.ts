import { latch, testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createKeySpace,
  createRecordStore,
  createRedis,
  type Redis,
  waitUntilReady,
} from '../../src/redis/index.ts'

interface Draft {
  readonly step: string
}

const TTL_MS = 60_000
const VERSIONS = 200
const prefix = createKeySpace('test-service').prefix('draft')
const connections: Redis[] = []

beforeAll(async () => {
  const { sessionUrl } = await testRedis()
  for (const name of ['one', 'two', 'three', 'four']) {
    const redis = createRedis(sessionUrl, { name, onError: () => undefined })
    await waitUntilReady(redis, 5_000)
    connections.push(redis)
  }
})
afterAll(() => {
  for (const redis of connections) redis.disconnect()
})
beforeEach(() => connection(0).flushdb())

function connection(index: number): Redis {
  const redis = connections[index % connections.length]
  if (redis === undefined) throw new Error('not connected')
  return redis
}

function storeAt(index: number) {
  return createRecordStore<Draft>({
    redis: connection(index),
    prefix,
    ttlMs: TTL_MS,
    parse: (value) => (isDraft(value) ? value : null),
    bytesMax: 1_000,
  })
}

function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && 'step' in value
}

const at = (version: number) => ({ version, value: { step: `step ${version}` } })

function shuffled(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  return numbers
    .map((n) => [Math.random(), n] as const)
    .sort(([a], [b]) => a - b)
    .map(([, n]) => n)
}

describe('a record store', () => {
  it('returns what was put, with its version and a limited life', async () => {
    const store = storeAt(0)
    expect(await store.get('bdr_1')).toBeNull()
    expect(await store.put('bdr_1', at(3))).toBe(true)
    expect(await store.get('bdr_1')).toEqual(at(3))
    expect(await connection(0).pttl(`${prefix}bdr_1`)).toBeGreaterThan(TTL_MS - 5_000)
    await store.put('bdr_1', at(4), 1_500)
    expect(await connection(0).pttl(`${prefix}bdr_1`)).toBeLessThanOrEqual(1_500)
    expect(await store.put('bdr_2', at(1), 0)).toBe(false)
  })

  it('retains the newest version of concurrent writers, in any order of arrival', async () => {
    const seen: number[] = []
    const writing = shuffled(VERSIONS).map(async (version, index) => {
      const stored = await storeAt(index).put('bdr_1', at(version))
      const read = await storeAt(index + 1).get('bdr_1')
      expect(read?.version ?? 0).toBeGreaterThanOrEqual(version)
      return stored
    })
    const watching = (async () => {
      for (let n = 0; n < 100; n += 1) seen.push((await storeAt(3).get('bdr_1'))?.version ?? 0)
    })()
    const stored = await Promise.all(writing)
    await watching
    expect(stored).toContain(true)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(await storeAt(0).get('bdr_1')).toEqual(at(VERSIONS))
  })

  it('is needed: comparing and setting in two commands loses the newest version', async () => {
    const bothRead = latch()
    const newerWritten = latch()
    let readers = 0
    const putInTwoSteps = async (version: number, wait: Promise<void>) => {
      const key = `${prefix}unsafe`
      const stored = Number(await connection(version).get(key))
      readers += 1
      if (readers === 2) bothRead.open()
      await bothRead.promise
      await wait
      if (stored < version) await connection(version).set(key, version)
    }
    const newer = putInTwoSteps(2, Promise.resolve()).then(() => newerWritten.open())
    await Promise.all([newer, putInTwoSteps(1, newerWritten.promise)])
    expect(await connection(0).get(`${prefix}unsafe`)).toBe('1')
  })

  it('rejects the same version, so that a repeated write changes nothing', async () => {
    await storeAt(0).put('bdr_1', at(2))
    const other = { version: 2, value: { step: 'other' } }
    expect(await storeAt(1).put('bdr_1', other)).toBe(false)
    expect(await storeAt(0).get('bdr_1')).toEqual(at(2))
  })

  it('deletes with a fence: a late write of an older version stays rejected', async () => {
    await storeAt(0).put('bdr_1', at(5))
    expect(await storeAt(1).delete('bdr_1', 4)).toBe(false)
    expect(await storeAt(1).get('bdr_1')).toEqual(at(5))
    expect(await storeAt(1).delete('bdr_1', 5)).toBe(true)
    expect(await storeAt(0).get('bdr_1')).toBeNull()
    expect(await storeAt(2).put('bdr_1', at(5))).toBe(false)
    expect(await storeAt(0).get('bdr_1')).toBeNull()
    expect(await storeAt(2).put('bdr_1', at(6))).toBe(true)
    expect(await storeAt(0).get('bdr_1')).toEqual(at(6))
  })

  it('leaves the fence also where nothing was stored, and only for its life', async () => {
    expect(await storeAt(0).delete('bdr_1', 7)).toBe(true)
    expect(await storeAt(0).put('bdr_1', at(7))).toBe(false)
    const lifeMs = await connection(0).pttl(`${prefix}bdr_1`)
    expect(lifeMs).toBeGreaterThan(0)
    expect(lifeMs).toBeLessThanOrEqual(TTL_MS)
  })

  it('treats values of an unknown format as absent, and replaces them', async () => {
    for (const data of ['{', 'null', '"text"', '{"other":1}']) {
      await connection(0).hset(`${prefix}bdr_1`, { v: '1', d: data })
      expect(await storeAt(0).get('bdr_1'), data).toBeNull()
    }
    expect(await storeAt(0).put('bdr_1', at(2))).toBe(true)
  })

  it('rejects a record that is too long and a version that is no positive integer', async () => {
    const long = { version: 1, value: { step: 'é'.repeat(500) } }
    await expect(storeAt(0).put('bdr_1', long)).rejects.toThrow('1000 bytes')
    for (const version of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
      await expect(storeAt(0).put('bdr_1', at(version))).rejects.toThrow(TypeError)
      await expect(storeAt(0).delete('bdr_1', version)).rejects.toThrow(TypeError)
    }
  })
})
