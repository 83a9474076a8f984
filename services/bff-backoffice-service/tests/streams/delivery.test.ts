import type { Redis } from '@melmastoon/chassis/redis'
import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StreamLimits } from '../../src/streams/stream-limits.ts'
import { createMovedClock } from '../harness/moved-clock.ts'
import { type BackofficeWithFakes, startWithFakes } from '../harness/start-with-fakes.ts'
import type { TestDevice } from '../harness/test-device.ts'
import { dataOf, TestStream } from '../harness/test-stream.ts'
import { BareStreams, operatorOf } from './bare-streams.ts'
import { arrivals, StreamFixture } from './stream-fixture.ts'

let running: BackofficeWithFakes
let redis: Redis
/** A second process; the last test stops it. */
let other: BackofficeWithFakes['service']
beforeAll(async () => {
  running = await startWithFakes({ access: { failures: 10_000 } })
  other = await running.startAnother()
  redis = running.service.ctx.sessionRedis
})
afterAll(() => running[Symbol.asyncDispose]())

const NEVER = Number.MAX_SAFE_INTEGER

describe('STAFF-SSE-05 a slow reader', () => {
  /** More than the buffers of both kernels take. Returns whether the slow stream is still open. */
  async function readSlowly(limits: Partial<StreamLimits>): Promise<boolean> {
    await using bare = await BareStreams.start(running, { limits })
    const fixture = new StreamFixture(running)
    using fast = await bare.open(operatorOf(fixture))
    using _slow = await bare.open(operatorOf(fixture), { reads: false })
    await eventually(() => expect(bare.streams.count).toBe(2))
    for (let round = 1; round <= 25 && bare.streams.count === 2; round += 1) {
      await fixture.publish(100, { data: { padding: 'x'.repeat(3_500) } })
      await eventually(() => expect(fast.logged()).toHaveLength(100 * round))
    }
    const isOpen = bare.streams.count === 2
    expect(fast.logged()).toEqual(arrivals(1, fast.logged().length))
    expect(fast.named('gap')).toEqual([])
    return isOpen
  }

  it('is disconnected at the bound of unsent bytes, and the others receive everything', async () => {
    expect(await readSlowly({ undrainedMs: NEVER })).toBe(false)
  })

  it('is disconnected after the time without progress', async () => {
    const limits = { bufferBytes: NEVER, undrainedMs: 50, heartbeatMs: 300 }
    expect(await readSlowly(limits)).toBe(false)
  })

  it('stays, and its unsent bytes with it, when there is no bound', async () => {
    expect(await readSlowly({ bufferBytes: NEVER, undrainedMs: NEVER })).toBe(true)
  })
})

describe('the end of a session', () => {
  it('STAFF-SSE-08 ends the streams of all devices in less than five seconds', async () => {
    const fixture = new StreamFixture(running)
    const devices = await Promise.all(Array.from({ length: 20 }, () => fixture.device()))
    const streams = await Promise.all(devices.map((device) => TestStream.open(other, device)))
    const startedMs = performance.now()
    for (const { sessionId } of devices) await running.service.ctx.access.endSession(sessionId)
    await fixture.publish(1)
    await eventually(() => expect(streams.every(({ isClosed }) => isClosed)).toBe(true))
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    const reasons = streams.map((stream) => stream.one('bye')['reason'])
    expect(new Set(reasons)).toEqual(new Set(['session_ended']))
    expect(other.ctx.streams.count).toBe(0)
  })

  it('STAFF-AUTH-14 ends a stream although the message was lost, but not without the sweep', async () => {
    const fixture = new StreamFixture(running)
    await using unsafe = await BareStreams.start(running, { sweeps: false })
    const device = await fixture.device()
    using stream = await TestStream.open(running.service, device)
    const [key = ''] = await redis.keys(`*:session:{${device.sessionId}}`)
    const same = operatorOf(fixture)
    using control = await unsafe.open({ ...same, sessionId: device.sessionId })
    await redis.rename(key, key.replace(':session:', ':revoked:'))
    await eventually(() => expect(stream.isClosed).toBe(true))
    expect(stream.one('bye')).toEqual({ reason: 'session_ended' })
    await fixture.publish(1)
    await eventually(() => expect(control.logged()).toEqual(['arrivals 1']))
    expect(stream.logged()).toEqual([])
  })
})

describe('STAFF-SSE-09 a second stream of a device', () => {
  it.each([true, false])('replaces the first one (same process: %s)', async (isSame) => {
    const fixture = new StreamFixture(running)
    const device = await fixture.device()
    using first = await TestStream.open(running.service, device)
    using second = await TestStream.open(isSame ? running.service : other, device)
    await eventually(() => expect(first.isClosed).toBe(true))
    expect(first.one('bye')).toEqual({ reason: 'replaced' })
    await fixture.publish(1)
    await eventually(() => expect(second.logged()).toEqual(['arrivals 1']))
    expect(first.logged()).toEqual([])
  })

  it('replaces it although the message was lost', async () => {
    const fixture = new StreamFixture(running)
    const device = await fixture.device()
    using first = await TestStream.open(running.service, device)
    const [key = ''] = await redis.keys(`*stream-owner:${device.tenantId}:*`)
    await redis.set(key, `${device.sessionId}|other|`)
    await eventually(() => expect(first.isClosed).toBe(true))
    expect(first.one('bye')).toEqual({ reason: 'replaced' })
  })
})

describe('STAFF-SSE-10 a lost message', () => {
  it('is repaired within five seconds; without range reads it is not', async () => {
    const fixture = new StreamFixture(running)
    await using silent = await BareStreams.start(running, { announces: false })
    await using unsafe = await BareStreams.start(running, { repairs: false })
    using stream = await TestStream.open(running.service, await fixture.device())
    using control = await unsafe.open(operatorOf(fixture))
    await fixture.publish(1)
    await eventually(() => {
      expect(stream.logged()).toEqual(['arrivals 1'])
      expect(control.logged()).toEqual(['arrivals 1'])
    })
    await silent.streams.publish(fixture.tenantId, [fixture.event(), fixture.event()])
    const options = { timeoutMs: 5_500 }
    await eventually(() => expect(stream.logged()).toEqual(arrivals(1, 3)), options)
    expect(control.logged()).toEqual(['arrivals 1'])
    // The next message shows the jump.
    await fixture.publish(1)
    await eventually(() => expect(control.logged()).toEqual(arrivals(1, 4)))
  })
})

describe('STAFF-SSE-11 the token of a stream', () => {
  const MINUTE = 60_000

  const clock = createMovedClock()
  let service: BackofficeWithFakes['service']
  beforeAll(async () => {
    const streams = { limits: { heartbeatMs: 750 } }
    service = await running.startAnother({ clock, streams })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  async function newDevice(fixture: StreamFixture) {
    const device = await fixture.device()
    await device.renewAt(running.platform, clock.nowMs())
    return device
  }

  const renew = (target: { readonly url: string }, device: TestDevice) =>
    device.send(target, { method: 'POST', path: '/sse/renew', json: {} })

  it('is renewed by a request at any process; otherwise the stream ends', async () => {
    const fixture = new StreamFixture(running)
    const [device, lazy] = [await newDevice(fixture), await newDevice(fixture)]
    using stream = await TestStream.open(service, device)
    using ending = await TestStream.open(service, lazy)
    clock.advance(13 * MINUTE)
    await eventually(() => expect(stream.comments).toBeGreaterThan(1))
    expect(stream.named('session')).toEqual([])
    clock.advance(MINUTE + 1_000)
    await eventually(() => expect(stream.one('session')).toEqual({ type: 'renew' }))
    await device.renewAt(running.platform, clock.nowMs())
    const response = await renew(service, device)
    expect([response.status, response.body]).toEqual([
      200,
      { tokenExpiresAt: expect.stringMatching(/Z$/) },
    ])
    clock.advance(2 * MINUTE)
    await eventually(() => expect(ending.isClosed).toBe(true))
    expect(ending.one('bye')).toMatchObject({ reason: 'token_expired' })
    expect(stream.isClosed).toBe(false)
    expect(stream.named('session')).toHaveLength(1)
    await fixture.publish(1)
    await eventually(() => expect(stream.logged()).toEqual(['arrivals 1']))
    // A request at another process renews it as well.
    clock.advance(12 * MINUTE)
    await eventually(() => expect(stream.named('session')).toHaveLength(2))
    await using elsewhere = await BareStreams.start(running)
    const { sessionId, deviceId, operatorId } = device
    const operator = { ...operatorOf(fixture), sessionId, deviceId, operatorId }
    const tokenExpiresAt = new Date(clock.nowMs() + 15 * MINUTE)
    expect(await elsewhere.streams.renew({ ...operator, tokenExpiresAt })).toBe(true)
    clock.advance(2 * MINUTE)
    const { comments } = stream
    await eventually(() => expect(stream.comments).toBeGreaterThan(comments + 1))
    expect(stream.isClosed).toBe(false)
  })

  it('of another session, or without a stream, renews nothing', async () => {
    const fixture = new StreamFixture(running)
    const device = await newDevice(fixture)
    expect((await renew(service, device)).status).toBe(404)
    using stream = await TestStream.open(service, device)
    expect((await renew(service, device)).status).toBe(200)
    const operator = { ...operatorOf(fixture), deviceId: device.deviceId }
    expect(await service.ctx.streams.renew(operator)).toBe(false)
    stream.disconnect()
    await eventually(async () => expect((await renew(service, device)).status).toBe(404))
  })

  it('a stream ends after fifty minutes, whatever its token', async () => {
    const fixture = new StreamFixture(running)
    const device = await fixture.device()
    const operator = running.platform.operators.get(device.operatorId)
    if (operator === undefined) throw new TypeError('no operator')
    const exp = Math.floor(clock.nowMs() / 1_000) + 7_200
    device.token = await running.platform.token({ ...device.claims(operator), exp })
    using stream = await TestStream.open(service, device)
    clock.advance(49 * MINUTE)
    await eventually(() => expect(stream.comments).toBeGreaterThan(1))
    clock.advance(MINUTE)
    await eventually(() => expect(stream.isClosed).toBe(true))
    expect(stream.one('bye')).toMatchObject({ reason: 'lifetime' })
  })
})

describe('STAFF-SSE-14 polling', () => {
  it('returns the events of the stream, page by page, and announces gaps', async () => {
    const fixture = new StreamFixture(running)
    const { service } = running
    const device = await fixture.device()
    using stream = await TestStream.open(service, device)
    const first = await device.get(service, '/sse/poll')
    expect(first.body).toMatchObject({ events: [], gap: null, hasMore: false })
    expect(first.body['lastEventId']).toBe(stream.lastEventId)
    for (let round = 0; round < 5; round += 1) {
      await fixture.publish(3)
      await fixture.publish(2, { channel: 'devices', propertyId: null })
      await fixture.publish(1, { channel: 'alerts', classes: ['desk'] })
    }
    await eventually(() => expect(stream.logged()).toHaveLength(20))
    const polled: unknown[] = []
    let after = String(first.body['lastEventId'])
    for (let hasMore = true; hasMore; ) {
      const { body } = await device.get(service, `/sse/poll?limit=7&after=${after}`)
      polled.push(...(body['events'] as unknown[]))
      after = String(body['lastEventId'])
      hasMore = body['hasMore'] === true
    }
    const streamed = stream.events
      .slice(1)
      .map(({ id, event, data }) => ({ id, event, data: dataOf(data) }))
    expect(polled).toEqual(streamed)
    const lost = await device.get(service, '/sse/poll?after=AAAAAAAAAAAA.3')
    expect(lost.body).toMatchObject({ events: [], lastEventId: after })
    expect(lost.body['gap']).toEqual({ refetch: expect.arrayContaining(['arrivals']) })
  })
})

describe('STAFF-SSE-12 a shutdown', () => {
  it('ends all streams within three seconds, and they return at different times', async () => {
    const fixture = new StreamFixture(running)
    const devices = await Promise.all(Array.from({ length: 30 }, () => fixture.device()))
    const streams = await Promise.all(devices.map((device) => TestStream.open(other, device)))
    using slow = await TestStream.open(other, await fixture.device(), { reads: false })
    const startedMs = performance.now()
    await other[Symbol.asyncDispose]()
    expect(performance.now() - startedMs).toBeLessThan(4_000)
    await eventually(() => expect(streams.every(({ isClosed }) => isClosed)).toBe(true))
    const delays = streams.map((stream) => Number(stream.one('bye')['retryMs']))
    expect(streams.map(({ retryMs }) => retryMs)).toEqual(delays)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1_000)
    expect(Math.max(...delays)).toBeLessThanOrEqual(8_000)
    expect(new Set(delays.map((delay) => Math.floor(delay / 1_000))).size).toBeGreaterThan(3)
    slow.response.resume()
  })
})
