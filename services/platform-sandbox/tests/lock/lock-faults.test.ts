import { idToUuid, newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import type { LockVendor } from '@melmastoon/upstream-contracts/lock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LockScenario } from '../../src/modules/lock/module.ts'
import { visitPage } from '../control-room/visit-page.ts'
import { rejectionOf } from '../start-sandbox.ts'
import {
  actionsAt,
  change,
  houseOf,
  issueBody,
  type ServedLocks,
  serveLocks,
} from './lock-fixture.ts'

let served: ServedLocks

// Two processes deliver responses: each response must have one effect and one event.
beforeAll(async () => {
  served = await serveLocks({ processes: 2 })
})
afterAll(() => served[Symbol.asyncDispose]())

const REFUSED = 'MELMASTOON.LOCK.VENDOR_REFUSED'
const INCAPABLE = 'MELMASTOON.LOCK.NO_CAPABLE_DEVICE'
const BUSY = 'MELMASTOON.LOCK.GATEWAY_BUSY'

const sequences = (events: readonly { payload: unknown }[]) =>
  events.map(({ payload }) => {
    const { status, sequence, failureReason } = payload as Record<string, unknown>
    return [sequence, failureReason ?? status]
  })

/** Those that differ; the formats of all are tested with the simulators. */
describe.each<LockVendor>(['ttlock', 'salto'])('%s', (vendor) => {
  const house = houseOf(vendor)
  const actions = () => actionsAt(served, house)

  /** Starts an action with a scenario that is only accepted. */
  const accepted = async (scenario: LockScenario) => {
    const body = issueBody(house)
    const issued = await actions().issue(body, scenario)
    expect(issued.state).toBe('accepted')
    return { ...issued, reservationId: body.reservationId }
  }
  const settled = (requestId: string, state: string) =>
    eventually(async () => {
      const request = await actions().request(requestId)
      expect(request.state).toBe(state)
      return request
    })

  it.each<[LockScenario, string, string]>([
    ['refuse', REFUSED, 'vendor_refused'],
    ['duplicate-code', REFUSED, 'pin_collision_exhausted'],
    ['slots-full', REFUSED, 'slots_full'],
    ['clock-error', REFUSED, 'clock_error'],
  ])('%s: rejected, and the request says why', async (scenario, code, reason) => {
    const { issue, request } = actions()
    const body = issueBody(house)
    expect(await rejectionOf(issue(body, scenario))).toBe(code)
    expect(await request(body.requestId)).toMatchObject({
      state: 'failed',
      failureReason: reason,
      credential: { state: 'failed' },
    })
    expect(await rejectionOf(issue(body)), 'a repetition').toBe(code)
  })

  it('busy-gateway: rejected without a trace, but a revocation is accepted', async () => {
    const { issue, request, revoke } = actions()
    const body = issueBody(house)
    expect(await rejectionOf(issue(body, 'busy-gateway'))).toBe(BUSY)
    const missing = await rejectionOf(request(body.requestId))
    expect(missing).toBe('MELMASTOON.LOCK.REQUEST_NOT_FOUND')
    const issued = await issue(body)
    const revocation = await revoke(issued, 'busy-gateway')
    expect(revocation.state).toBe('accepted')
    const { credential } = await settled(revocation.requestId, 'succeeded')
    expect(credential?.state).toBe('revoked')
  })

  it('STAFF-LOCK-02 late: accepted, and confirmed or failed later', async () => {
    const [good, bad] = [await accepted('late'), await accepted('late-failure')]
    expect(good.credential?.state).toBe('pending')
    expect((await settled(good.requestId, 'succeeded')).credential?.state).toBe('active')
    const failed = await settled(bad.requestId, 'failed')
    expect(failed).toMatchObject({ failureReason: 'vendor_unreachable' })
    expect(failed.vendorLatencyMs).toBeGreaterThanOrEqual(200)
  })

  it('STAFF-LOCK-03 twice: one key, the same event twice', async () => {
    const { issue, events, list } = actions()
    const body = issueBody(house)
    expect(await issue(body, 'twice')).toMatchObject({ state: 'succeeded' })
    await eventually(async () => {
      expect(sequences(await events(body.requestId))).toEqual([
        [0, 'pending'],
        [1, 'active'],
        [1, 'active'],
      ])
    })
    const { credentials } = await list({ reservationId: body.reservationId })
    expect(credentials).toMatchObject([{ state: 'active', version: 2 }])
  })

  it('STAFF-LOCK-04 never: silence without and with an effect, and without the request', async () => {
    const { list, request } = actions()
    const stateOf = async (reservationId: string) =>
      (await list({ reservationId })).credentials.map(({ state }) => state)
    const [never, silent, forgotten] = [
      await accepted('never'),
      await accepted('silent-success'),
      await accepted('forgotten'),
    ]
    expect(await stateOf(never.reservationId)).toEqual(['pending'])
    expect(await stateOf(silent.reservationId)).toEqual(['active'])
    expect(await stateOf(forgotten.reservationId)).toEqual(['active'])
    expect(await request(silent.requestId)).toMatchObject({ state: 'accepted', vendorLatencyMs: 0 })
    const missing = await rejectionOf(request(forgotten.requestId))
    expect(missing).toBe('MELMASTOON.LOCK.REQUEST_NOT_FOUND')
    const found = await list({ reservationId: forgotten.reservationId })
    expect(found.credentials[0]).not.toHaveProperty('requestId')
  })

  it('STAFF-LOCK-05 reordered: an older failure does not undo the success', async () => {
    const { requestId } = await accepted('reordered')
    const { events, request } = actions()
    await eventually(async () => {
      expect(sequences(await events(requestId))).toEqual([
        [0, 'pending'],
        [2, 'active'],
        [1, 'vendor_unreachable'],
      ])
    })
    expect(await request(requestId)).toMatchObject({
      state: 'succeeded',
      credential: { state: 'active' },
    })
  })

  it('STAFF-LOCK-05 success then failure: the key does not work after all', async () => {
    const { issue, extend, read } = actions()
    const issued = await issue(issueBody(house), 'success-then-failure')
    expect(issued.state).toBe('succeeded')
    const failed = await settled(issued.requestId, 'failed')
    expect(failed).toMatchObject({
      failureReason: 'unknown_to_lock',
      credential: { state: 'failed' },
    })
    const good = await issue()
    const extended = await extend(good, {}, 'success-then-failure')
    expect(extended.credential?.validUntil).not.toBe(good.credential?.validUntil)
    await settled(extended.requestId, 'failed')
    expect(await read(good)).toMatchObject({
      state: 'active',
      validUntil: good.credential?.validUntil,
    })
  })

  it('duplicate-credential: two keys of one request', async () => {
    const { issue, list } = actions()
    const body = issueBody(house)
    await issue(body, 'duplicate-credential')
    const { credentials } = await list({ reservationId: body.reservationId, state: 'active' })
    expect(credentials.map(({ requestId }) => requestId)).toEqual([body.requestId, body.requestId])
  })

  it('STAFF-LOCK-07 a revocation wins over an open issue, whatever the vendor says later', async () => {
    const { revoke, request, events } = actions()
    const open = await accepted('late')
    const revocation = await revoke(open)
    expect(revocation).toMatchObject({ state: 'succeeded', credential: { state: 'revoked' } })
    expect(await request(open.requestId)).toMatchObject({
      state: 'failed',
      failureReason: 'cancelled_mid_flight',
    })
    await eventually(async () => {
      expect(sequences(await events(open.requestId))).toContainEqual([1, 'revoked'])
    })
    expect(await request(open.requestId)).toMatchObject({
      state: 'failed',
      credential: { state: 'revoked' },
    })
  })
})

describe('the lock system', () => {
  const house = houseOf('ttlock')
  const actions = () => actionsAt(served, house)

  it('STAFF-LOCK-10 of TTLock executes one command at a time; others do not', async () => {
    const race = async (vendor: LockVendor) => {
      const { issue } = actionsAt(served, houseOf(vendor))
      const calls = Array.from({ length: 6 }, () => issue(issueBody(houseOf(vendor))))
      const ended = await Promise.allSettled(calls)
      return ended.filter(({ status }) => status === 'fulfilled').length
    }
    expect(await race('ttlock')).toBeLessThan(6)
    expect(await race('salto')).toBe(6)
    expect(await actions().issue()).toMatchObject({ state: 'succeeded' })
  })

  const setGateway = async (vendor: LockVendor, gateway: 'online' | 'offline') => {
    const { propertyId } = houseOf(vendor)
    const { control } = actionsAt(served, houseOf(vendor))
    const changed = await control(`/properties/${propertyId}/lock-gateway`, { gateway })
    expect(changed.status).toBe(200)
  }

  it('of TTLock rejects commands while its gateway is offline', async () => {
    await setGateway('ttlock', 'offline')
    expect(await rejectionOf(actions().issue())).toBe(INCAPABLE)
    await setGateway('ttlock', 'online')
    expect(await actions().issue()).toMatchObject({ state: 'succeeded' })
  })

  it('of Salto accepts commands while its gateway is offline, and executes them later', async () => {
    const { issue, request } = actionsAt(served, houseOf('salto'))
    await setGateway('salto', 'offline')
    const { requestId, state } = await issue()
    expect(state).toBe('accepted')
    await setGateway('salto', 'online')
    await eventually(async () => {
      expect(await request(requestId)).toMatchObject({ state: 'succeeded' })
    })
  })

  it('finds a slow command by its id while it runs, and completes it without its caller', async () => {
    const { issue, request } = actions()
    const body = issueBody(house)
    const call = issue(body, 'slow-lock')
    await eventually(async () => {
      expect(await request(body.requestId)).toMatchObject({ state: 'accepted' })
    })
    expect(await call).toMatchObject({ state: 'succeeded' })
  })

  it('behaves as set for a property, for a number of actions', async () => {
    const { issue, control } = actions()
    const path = `/properties/${house.propertyId}/lock-scenario`
    await control(path, { scenario: 'refuse', times: 2 })
    expect(await rejectionOf(issue())).toBe(REFUSED)
    expect(await rejectionOf(issue())).toBe(REFUSED)
    expect(await issue()).toMatchObject({ state: 'succeeded' })
    await control(path, { scenario: 'busy-gateway' })
    expect(await rejectionOf(issue())).toBe(BUSY)
    await control(`${path}/remove`, {})
    expect(await issue()).toMatchObject({ state: 'succeeded' })
  })

  it('behaves as set for a reservation, whatever is set for its property', async () => {
    const { issue, control } = actions()
    const body = issueBody(house)
    const ofProperty = `/properties/${house.propertyId}/lock-scenario`
    await control(ofProperty, { scenario: 'busy-gateway' })
    const ofReservation = `/reservations/${body.reservationId}/lock-scenario`
    await control(ofReservation, { scenario: 'never', times: 1 })
    expect(await issue(body)).toMatchObject({ state: 'accepted' })
    const next = { ...body, ...change() }
    expect(await rejectionOf(issue(next))).toBe(BUSY)
    expect(await issue(next, 'delayed'), 'the header takes precedence').toMatchObject({
      state: 'accepted',
    })
    await control(`${ofProperty}/remove`, {})
  })

  it('responds, repeats and contradicts itself on request', async () => {
    const { issue, control, request, events } = actions()
    const body = issueBody(house)
    await issue(body, 'never')
    const { requestId } = body
    const respond = async (response: string, state: string) => {
      const path = `/lock-requests/${requestId}/respond`
      expect((await control(path, { response })).status).toBe(200)
      await eventually(async () => expect((await request(requestId)).state).toBe(state))
    }
    await respond('succeed', 'succeeded')
    await respond('repeat', 'succeeded')
    await eventually(async () => expect(await events(requestId)).toHaveLength(3))
    await respond('fail', 'failed')
    const unknown = await control(`/lock-requests/${newId('req')}/respond`, { response: 'fail' })
    expect(unknown.status).toBe(404)
  })

  it('is controlled with the buttons of the page', async () => {
    const { issue, request } = actions()
    const path = `/?tenant=${house.tenantId}&property=${house.propertyId}`
    const page = await visitPage(served.url, path)
    expect(page.section('locks')).toContain('All locks of the tenant work.')
    const set = await page.press('Set the behaviour', { scenario: 'refuse', times: '' })
    expect(set.section('locks')).toContain(house.propertyId)
    expect(await rejectionOf(issue())).toBe(REFUSED)
    const restored = await set.press('Restore refuse')
    expect(restored.section('locks')).toContain('All locks of the tenant work.')
    const cut = await restored.press('Disconnect the gateway')
    expect(await rejectionOf(issue())).toBe(INCAPABLE)
    await cut.press('Connect the gateway')
    const { requestId } = await issue(issueBody(house), 'never')
    const open = await visitPage(served.url, path)
    await open.press(`Confirm ${requestId}`)
    await eventually(async () => {
      expect(await request(requestId)).toMatchObject({ state: 'succeeded' })
    })
  })

  it('stores no more keys than the locks have slots', async () => {
    const small = houseOf('generic-wiegand')
    const { issue, control } = actionsAt(served, small)
    const { tenantId, propertyId } = small
    await served.environment.query(
      `update ${served.environment.schema}.lock_property set slots_per_room = 1
       where property_id = $1`,
      [idToUuid(propertyId)],
    )
    const room = small.rooms[2] ?? small.rooms[0]
    if (room === undefined) throw new Error(`no room of ${tenantId}`)
    const body = () => ({ ...issueBody(small), rooms: [room] })
    await issue(body())
    expect(await rejectionOf(issue(body()))).toBe(REFUSED)
    await control(`/properties/${propertyId}/lock-vendor`, { vendor: 'generic-wiegand' })
    expect(await issue(body())).toMatchObject({ state: 'succeeded' })
  })
})
