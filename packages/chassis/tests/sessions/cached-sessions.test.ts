import { setTimeout as delay } from 'node:timers/promises'
import { KeyRing } from '@melmastoon/security'
import { startTcpProxy, type TcpProxy, testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../src/clock/index.ts'
import {
  channelOf,
  createKeySpace,
  createRedis,
  type KeyPrefix,
  type Redis,
} from '../../src/redis/index.ts'
import { createSessionStore } from '../../src/sessions/index.ts'

/** The bound while no broadcast is received (`docs/sessions.md`). */
const BOUND_MS = 2_000
const key = Buffer.alloc(32, 1).toString('base64url')
const ignore = () => undefined
const guest = { locale: 'ps-AF' }
let direct: Redis
let proxied: Redis
let proxy: TcpProxy
let sessionUrl: string

beforeAll(async () => {
  ;({ sessionUrl } = await testRedis())
  proxy = await startTcpProxy(sessionUrl)
  direct = createRedis(sessionUrl, { name: 'cached-sessions', onError: ignore })
  proxied = createRedis(proxy.url, { name: 'cached-sessions-sub', onError: ignore })
})
afterAll(async () => {
  for (const redis of [direct, proxied]) redis.disconnect()
  await proxy[Symbol.asyncDispose]()
})

/** A clock that can be read as if it were later. */
function movableClock() {
  const clock = {
    ms: 0,
    now: () => new Date(),
    nowMs: () => Date.now(),
    monotonicMs: () => clock.ms,
    at<T>(ms: number, read: () => T): T {
      const before = clock.ms
      clock.ms = ms
      const result = read()
      clock.ms = before
      return result
    },
  }
  return clock
}

let processes = 0

function storeOn(redis: Redis, keyPrefix: KeyPrefix, clock?: Clock) {
  return createSessionStore<typeof guest, 'gms'>({
    redis,
    keys: KeyRing.parse(`k1:active:${key}`),
    idPrefix: 'gms',
    keyPrefix,
    ttlSeconds: 3_600,
    parse: (value) => value as typeof guest,
    ...(clock && { clock }),
  })
}

/** The process, and the other one. */
async function areAllSubscribed(channel: string): Promise<boolean> {
  const [, count] = (await direct.call('PUBSUB', 'NUMSUB', channel)) as unknown[]
  return count === 2
}

/** A process with a cached session, whose broadcasts can be cut off while Redis still responds. */
async function startProcess() {
  const redis = createRedis(sessionUrl, { name: 'cached-sessions', onError: ignore })
  redis.duplicate = (options) => proxied.duplicate(options)
  const clock = movableClock()
  // A channel of its own, so that its subscribers can be counted.
  processes += 1
  const prefix = createKeySpace('test-service').prefix(`cached-session-${processes}`)
  const [here, elsewhere] = [storeOn(redis, prefix, clock), storeOn(direct, prefix)]
  const started = elsewhere.start(guest)
  const session = await elsewhere.store(started.session)
  const cookie = { value: started.cookieValue, initialData: () => guest }
  // Until then the clock stands still, so that what is read can be confirmed.
  const channel = channelOf(redis, prefix, 'changed')
  await expect.poll(() => areAllSubscribed(channel)).toBe(true)
  await here.load(cookie)
  const isCachedAt = (ms: number) => clock.at(ms, () => here.loadNow(cookie) !== null)
  return {
    clock,
    isCachedAt,
    isCached: () => isCachedAt(clock.ms),
    /** At this time the process finds out that no change was missed. */
    async confirmAt(ms: number) {
      clock.ms = ms
      await expect.poll(() => isCachedAt(ms + BOUND_MS)).toBe(true)
    },
    load: () => here.load(cookie),
    clearElsewhere: () => elsewhere.clear(session.id),
    changeElsewhere: () => elsewhere.update(session, () => ({ locale: 'fa-AF' })),
    [Symbol.dispose]: () => redis.disconnect(),
  }
}

const WITHIN_A_SECOND = { timeout: 1_000, interval: 10 }

describe('while broadcasts are received', () => {
  it('a session is cached for longer than without them', async () => {
    using process = await startProcess()
    for (const ms of [1_900, 3_800, 5_700]) await process.confirmAt(ms)
    expect(process.isCachedAt(7_701)).toBe(false)
  })

  it('a session that was cleared elsewhere is rejected within a second', async () => {
    using process = await startProcess()
    await process.confirmAt(1_900)
    await process.confirmAt(3_800)
    await process.clearElsewhere()
    await expect.poll(process.isCached, WITHIN_A_SECOND).toBe(false)
    expect(await process.load()).toEqual({ kind: 'none' })
  })

  it('a session that was changed elsewhere is read again within a second', async () => {
    using process = await startProcess()
    await process.confirmAt(1_900)
    await process.changeElsewhere()
    await expect.poll(process.isCached, WITHIN_A_SECOND).toBe(false)
    expect(await process.load()).toMatchObject({ session: { data: { locale: 'fa-AF' } } })
  })
})

describe('while broadcasts are cut off', () => {
  it('a session that was cleared elsewhere is rejected within two seconds', async () => {
    using process = await startProcess()
    await process.confirmAt(1_900)
    await proxy.setMode({ kind: 'blackhole' })
    await process.clearElsewhere()
    process.clock.ms = 2_900
    // Two attempts to confirm would have succeeded by now.
    await delay(1_200)
    expect([process.isCachedAt(3_900), process.isCachedAt(3_901)]).toEqual([true, false])
    process.clock.ms = 3_901
    expect(await process.load()).toEqual({ kind: 'none' })
    await proxy.setMode({ kind: 'pass' })
  })

  it('copies are discarded when broadcasts return, and confirmed again', async () => {
    using process = await startProcess()
    await process.confirmAt(1_900)
    proxy.cut()
    await expect.poll(process.isCached).toBe(false)
    await process.load()
    await process.confirmAt(3_900)
  })
})
