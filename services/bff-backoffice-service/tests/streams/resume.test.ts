import type { Redis } from '@melmastoon/chassis/redis'
import { newId } from '@melmastoon/domain'
import { eventually, spawnService } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operator } from '../../src/access/operator.ts'
import { type BackofficeWithFakes, startWithFakes } from '../harness/start-with-fakes.ts'
import { TestStream } from '../harness/test-stream.ts'
import { BareStreams, operatorOf } from './bare-streams.ts'
import { arrivals, StreamFixture } from './stream-fixture.ts'

const ENTRY = new URL('../../src/main.ts', import.meta.url)

let running: BackofficeWithFakes
let redis: Redis
beforeAll(async () => {
  running = await startWithFakes({ access: { failures: 10_000 } })
  redis = running.service.ctx.sessionRedis
})
afterAll(() => running[Symbol.asyncDispose]())

describe('a stream', () => {
  it('begins with hello, receives events of its channels in order, and is counted', async () => {
    const fixture = new StreamFixture(running)
    using stream = await TestStream.open(running.service, await fixture.device())
    const { headers } = stream.response
    expect(headers['content-type']).toBe('text/event-stream')
    expect(headers['cache-control']).toContain('no-store')
    expect(headers['content-encoding']).toBeUndefined()
    expect(stream.events[0]).toMatchObject({
      event: 'hello',
      id: expect.stringMatching(/^[\w-]{12}\.0$/),
    })
    await fixture.publish(3)
    await eventually(() => expect(stream.logged()).toEqual(arrivals(1, 3)))
    expect(stream.named('arrivals').at(-1)?.id).toMatch(/\.3$/)
    const metrics = await running.service.ctx.metrics.render()
    expect(metrics).toMatch(/bff_backoffice_sse_active_connections 1/)
    expect(metrics).toMatch(/bff_backoffice_sse_events_pushed_total\{channel="arrivals"\} 3/)
  })

  it('STAFF-SSE-01 resumes at another process after the first one was killed', async () => {
    const fixture = new StreamFixture(running)
    const device = await fixture.device()
    await using other = await spawnService(ENTRY, running.env)
    using first = await TestStream.open(other, device)
    await fixture.publish(3)
    await eventually(() => expect(first.logged()).toEqual(arrivals(1, 3)))
    await other.kill('SIGKILL')
    await eventually(() => expect(first.isClosed).toBe(true))
    await fixture.publish(4)
    const { lastEventId } = first
    using second = await TestStream.open(running.service, device, { lastEventId })
    await fixture.publish(1)
    await eventually(() => expect(second.logged()).toEqual(arrivals(4, 8)))
    expect(second.named('gap')).toEqual([])
  })

  it('STAFF-SSE-13 that was cut off before any event resumes from its hello', async () => {
    const fixture = new StreamFixture(running)
    const device = await fixture.device()
    using first = await TestStream.open(running.service, device)
    first.disconnect()
    await fixture.publish(2)
    const { lastEventId } = first
    using second = await TestStream.open(running.service, device, { lastEventId })
    await eventually(() => expect(second.logged()).toEqual(arrivals(1, 2)))
    expect(second.named('gap')).toEqual([])
  })

  it('continues a whole log without loss, although it exceeds the buffer', async () => {
    const fixture = new StreamFixture(running)
    const device = await fixture.device()
    using first = await TestStream.open(running.service, device)
    first.disconnect()
    for (let part = 0; part < 20; part += 1) {
      await fixture.publish(100, { data: { padding: 'x'.repeat(500) } })
    }
    const { lastEventId } = first
    using second = await TestStream.open(running.service, device, { lastEventId })
    await eventually(() => expect(second.logged()).toEqual(arrivals(1, 2_000)))
  })
})

describe('missing history', () => {
  it('STAFF-SSE-02 is announced once when it was trimmed, and not for the event before', async () => {
    const fixture = new StreamFixture(running)
    const device = await fixture.device()
    using first = await TestStream.open(running.service, device)
    const epoch = String(first.lastEventId).split('.')[0]
    first.disconnect()
    for (let part = 0; part < 21; part += 1) await fixture.publish(100)
    const [key = ''] = await redis.keys(`*stream-log:{${fixture.tenantId}}:events`)
    expect(await redis.xlen(key)).toBe(2_000)
    using gone = await TestStream.open(running.service, device, { lastEventId: `${epoch}.99` })
    expect(gone.named('gap').map(({ id }) => id)).toEqual([undefined])
    expect(gone.one('gap')['refetch']).toEqual(expect.arrayContaining(['arrivals', 'alerts']))
    await fixture.publish(1)
    await eventually(() => expect(gone.logged()).toEqual(['arrivals 2101']))
    expect(gone.named('gap')).toHaveLength(1)
    // One event was trimmed meanwhile: the oldest is 102.
    using edge = await TestStream.open(running.service, device, { lastEventId: `${epoch}.101` })
    await eventually(() => expect(edge.logged()).toEqual(arrivals(102, 2_101)))
    expect(edge.named('gap')).toEqual([])
  })

  it('STAFF-SSE-03 of another epoch, tenant or of no log is a gap without data', async () => {
    const [fixture, foreign] = [new StreamFixture(running), new StreamFixture(running)]
    const device = await fixture.device()
    await fixture.publish(5)
    await foreign.publish(5)
    using other = await TestStream.open(running.service, await foreign.device())
    const foreignId = String(other.lastEventId).replace(/\d+$/, '1')
    for (const lastEventId of [foreignId, 'AAAAAAAAAAAA.1', 'unknown', `${'9'.repeat(64)}`]) {
      using stream = await TestStream.open(running.service, device, { lastEventId })
      expect(stream.events.map(({ event }) => event)).toEqual(['gap', 'hello'])
      expect(stream.lastEventId).toMatch(/\.5$/)
    }
  })

  it('STAFF-SSE-03 after Redis was emptied is announced on the open stream', async () => {
    const fixture = new StreamFixture(running)
    const device = await fixture.device()
    using stream = await TestStream.open(running.service, device)
    await fixture.publish(3)
    await eventually(() => expect(stream.logged()).toEqual(arrivals(1, 3)))
    const before = stream.lastEventId
    const keys = await redis.keys(`*stream-log:{${fixture.tenantId}}:*`)
    await redis.del(keys)
    await fixture.publish(2)
    await eventually(() => expect(stream.named('gap')).toHaveLength(1))
    await eventually(() => expect(stream.named('hello')).toHaveLength(2))
    expect(stream.lastEventId).not.toBe(before)
    // The lost events may have changed the scope of the operator: it begins again.
    await eventually(() => expect(stream.one('bye')['reason']).toBe('scope_changed'))
    const { lastEventId } = stream
    using next = await TestStream.open(running.service, device, { lastEventId })
    await fixture.publish(1)
    await eventually(() => expect(next.logged()).toEqual(['arrivals 6']))
    expect(next.named('gap')).toEqual([])
  })

  it('ends a stream whose operator lost a role before its first event', async () => {
    const fixture = new StreamFixture(running)
    const { operatorId, deviceId } = await fixture.device({ roles: ['housekeeping'] })
    await using bare = await BareStreams.start(running, { checksScope: true })
    const earlier: Operator = { ...operatorOf(fixture), operatorId, deviceId, isLead: false }
    using changed = await bare.open({ ...earlier, roles: ['front_desk'] })
    await eventually(() => expect(changed.one('bye')['reason']).toBe('scope_changed'))
    // The control: the roles of now.
    using same = await bare.open({ ...earlier, roles: ['housekeeping'], deviceId: newId('dev') })
    await fixture.publish(1, { channel: 'housekeeping' })
    await eventually(() => expect(same.logged()).toHaveLength(1))
    expect(same.named('bye')).toEqual([])
  })

  it('a failover that lost events begins a new epoch', async () => {
    const fixture = new StreamFixture(running)
    const device = await fixture.device()
    using first = await TestStream.open(running.service, device)
    await fixture.publish(3)
    await eventually(() => expect(first.logged()).toEqual(arrivals(1, 3)))
    first.disconnect()
    // The replica that took over has the first two events; its run id is another one.
    const [head = ''] = await redis.keys(`*stream-log:{${fixture.tenantId}}:head`)
    await redis.hset(head, 'seq', 2, 'run', 'other')
    await fixture.publish(2)
    const { lastEventId } = first
    using second = await TestStream.open(running.service, device, { lastEventId })
    expect(second.events[0]?.event).toBe('gap')
  })
})

describe('what a stream contains', () => {
  it('STAFF-SSE-04 is filtered by the scope of now, also when it is replayed', async () => {
    const fixture = new StreamFixture(running)
    const lost = newId('ppt')
    const device = await fixture.device({ properties: [fixture.propertyId, lost] })
    using first = await TestStream.open(running.service, device)
    await fixture.publish(1, { propertyId: lost })
    await eventually(() => expect(first.logged()).toEqual(['arrivals 1']))
    first.disconnect()
    await fixture.publish(1, { propertyId: lost })
    await fixture.publish(1)
    const { operators } = running.platform
    const operator = operators.get(device.operatorId)
    if (operator === undefined) throw new TypeError('no operator')
    operators.set(device.operatorId, { ...operator, properties: [fixture.propertyId] })
    await running.service.ctx.cache.invalidate([`operator:${device.operatorId}`])
    const { lastEventId } = first
    using second = await TestStream.open(running.service, device, { lastEventId })
    await fixture.publish(1, { propertyId: lost })
    await fixture.publish(1)
    await eventually(() => expect(second.logged()).toEqual(['arrivals 3', 'arrivals 5']))
  })

  it('STAFF-SSE-04 follows role, class and operator; another tenant receives nothing', async () => {
    const [fixture, foreign] = [new StreamFixture(running), new StreamFixture(running)]
    const { service } = running
    const open = async (change: object) => TestStream.open(service, await fixture.device(change))
    const desk = await fixture.device()
    using atDesk = await TestStream.open(service, desk)
    using cleaner = await open({ roles: ['housekeeping'] })
    using technician = await open({ roles: ['maintenance'] })
    using owner = await open({ roles: ['owner'], properties: '*' })
    using stranger = await TestStream.open(service, await foreign.device())
    await fixture.publish(1)
    await fixture.publish(1, { channel: 'ai', classes: ['desk', 'mgmt'] })
    await fixture.publish(1, { channel: 'devices', propertyId: null })
    await fixture.publish(1, { channel: 'session', propertyId: null, operatorId: desk.operatorId })
    await fixture.publish(1, { channel: 'arrivals', propertyId: newId('ppt') })
    await fixture.publish(1, { channel: 'housekeeping' })
    await eventually(() => expect(technician.logged()).toEqual(['housekeeping 6']))
    await eventually(() => {
      expect(atDesk.logged()).toEqual(['arrivals 1', 'ai 2', 'session 4', 'housekeeping 6'])
      expect(cleaner.logged()).toEqual(['arrivals 1', 'housekeeping 6'])
      const ofOwner = ['arrivals 1', 'ai 2', 'devices 3', 'arrivals 5', 'housekeeping 6']
      expect(owner.logged()).toEqual(ofOwner)
    })
    expect(stranger.logged()).toEqual([])
  })
})

it('a device that disconnects while its stream is being opened leaves nothing behind', async () => {
  const fixture = new StreamFixture(running)
  const { service } = running
  const device = await fixture.device()
  using _first = await TestStream.open(service, device)
  for (let attempt = 0; attempt < 30; attempt += 1) {
    await TestStream.connectAndLeave(service, device, attempt)
  }
  await eventually(() => expect(service.ctx.streams.count).toBe(0))
})
