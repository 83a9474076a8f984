import { newId, type PropertyId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import type { Operator as OperatorRecord } from '@melmastoon/upstream-contracts/tenant'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operator } from '../../src/access/operator.ts'
import { type BackofficeWithFakes, startWithFakes } from '../harness/start-with-fakes.ts'
import type { TestDevice } from '../harness/test-device.ts'
import { TestStream } from '../harness/test-stream.ts'
import { BareStreams, operatorOf } from './bare-streams.ts'
import { StreamFixture } from './stream-fixture.ts'

let running: BackofficeWithFakes
beforeAll(async () => {
  running = await startWithFakes({ streams: { limits: { sweepMs: 200 } } })
})
afterAll(() => running[Symbol.asyncDispose]())

/** As the tenant service does; the event about it never arrives. */
async function changeSilently(
  { operatorId }: Pick<TestDevice, 'operatorId'>,
  change: Partial<OperatorRecord>,
): Promise<void> {
  const { platform, service } = running
  const record = platform.operators.get(operatorId)
  if (record === undefined) throw new TypeError('no operator')
  platform.operators.set(operatorId, { ...record, ...change })
  await service.ctx.cache.invalidate([`operator:${operatorId}`])
}

/** The operator as requests of this device are authenticated with these properties. */
function granted(fixture: StreamFixture, device: TestDevice, properties: PropertyId[]): Operator {
  const { operatorId, deviceId, sessionId } = device
  const ids = { operatorId, deviceId, sessionId }
  return { ...operatorOf(fixture), ...ids, properties: new Set(properties) }
}

describe('STAFF-SSE-04 an operator who loses a property while the stream is open', () => {
  it('receives none of its events, although the event about the change was lost', async () => {
    const fixture = new StreamFixture(running)
    const lost = newId('ppt')
    const properties = [fixture.propertyId, lost]
    const device = await fixture.device({ properties })
    using stream = await TestStream.open(running.service, device)
    // The control: a process without the sweep.
    await using unsafe = await BareStreams.start(running, { sweeps: false, checksScope: true })
    const elsewhere = { ...granted(fixture, device, properties), deviceId: newId('dev') }
    using control = await unsafe.open(elsewhere)
    await changeSilently(device, { properties: [fixture.propertyId] })
    await eventually(() => expect(stream.one('bye')['reason']).toBe('scope_changed'))
    await fixture.publish(1, { propertyId: lost })
    await eventually(() => expect(control.logged()).toEqual(['arrivals 1']))
    expect(stream.logged()).toEqual([])
    // The device opens the stream again, with the scope of now.
    using next = await TestStream.open(running.service, device)
    await fixture.publish(1, { propertyId: lost })
    await fixture.publish(1)
    await eventually(() => expect(next.logged()).toEqual(['arrivals 3']))
  })

  it('or a role, or the right to sign in, is disconnected', async () => {
    const fixture = new StreamFixture(running)
    const changed = await fixture.device({ roles: ['front_desk', 'housekeeping'] })
    const locked = await fixture.device()
    const same = await fixture.device()
    using ofChanged = await TestStream.open(running.service, changed)
    using ofLocked = await TestStream.open(running.service, locked)
    using ofSame = await TestStream.open(running.service, same)
    await changeSilently(changed, { roles: ['housekeeping'] })
    await changeSilently(locked, { status: 'disabled' })
    // More than the operator had is no reason to begin again.
    await changeSilently(same, { roles: ['front_desk', 'housekeeping'], properties: '*' })
    await eventually(() => {
      expect(ofChanged.one('bye')['reason']).toBe('scope_changed')
      expect(ofLocked.one('bye')['reason']).toBe('scope_changed')
    })
    await fixture.publish(1)
    await eventually(() => expect(ofSame.logged()).toEqual(['arrivals 1']))
  })

  it('keeps the stream while the record cannot be read', async () => {
    const fixture = new StreamFixture(running)
    const { platform } = running
    const device = await fixture.device()
    using stream = await TestStream.open(running.service, device)
    platform.down.add('getOperator')
    const calls = platform.count('getOperator')
    await changeSilently(device, { status: 'disabled' })
    await eventually(() => expect(platform.count('getOperator')).toBeGreaterThan(calls))
    await fixture.publish(1)
    await eventually(() => expect(stream.logged()).toEqual(['arrivals 1']))
    expect(stream.named('bye')).toEqual([])
    platform.down.delete('getOperator')
    await eventually(() => expect(stream.one('bye')['reason']).toBe('scope_changed'))
  })
})

describe('STAFF-SSE-11 a renewal that was authenticated before a property was lost', () => {
  /** The stream was opened afterwards; its owner had both properties when the renewal was sent. */
  async function renewWithOldScope(checksScope: boolean) {
    const fixture = new StreamFixture(running)
    const lost = newId('ppt')
    const device = await fixture.device()
    const bare = await BareStreams.start(running, { checksScope })
    const stream = await bare.open(granted(fixture, device, [fixture.propertyId]))
    const before = granted(fixture, device, [fixture.propertyId, lost])
    const tokenExpiresAt = new Date(Date.now() + 1_800_000)
    expect(await bare.streams.renew({ ...before, tokenExpiresAt })).toBe(true)
    return { fixture, lost, stream, bare }
  }

  it('does not bring the property back', async () => {
    const { fixture, lost, stream, bare } = await renewWithOldScope(true)
    await using _bare = bare
    await eventually(() => expect(stream.one('bye')['reason']).toBe('scope_changed'))
    await fixture.publish(1, { propertyId: lost })
    await eventually(() => expect(stream.isClosed).toBe(true))
    expect(stream.logged()).toEqual([])
  })

  it('would do so if its scope was not compared with the record (negative control)', async () => {
    const { fixture, lost, stream, bare } = await renewWithOldScope(false)
    await using _bare = bare
    await eventually(async () => {
      await fixture.publish(1, { propertyId: lost })
      expect(stream.logged()).not.toEqual([])
    })
  })
})
