import { newId, type RoomId } from '@melmastoon/domain'
import { expectValidEvents } from '@melmastoon/testkit'
import { LOCK_VENDORS } from '@melmastoon/upstream-contracts/lock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contracts, drainEvents, rejectionOf } from '../start-sandbox.ts'
import {
  actionsAt,
  at,
  change,
  houseOf,
  issueBody,
  kindOf,
  type ServedLocks,
  serveLocks,
} from './lock-fixture.ts'

let served: ServedLocks

beforeAll(async () => {
  served = await serveLocks()
})
afterAll(() => served[Symbol.asyncDispose]())

describe.each(LOCK_VENDORS)('keys of %s', (vendor) => {
  const house = houseOf(vendor)
  const actions = () => actionsAt(served, house)
  const spareRoom = (): RoomId => house.rooms[1] ?? issueBody(house).rooms[0] ?? newId('rmu')

  it('are issued, extended, bound to another room and revoked, with a history', async () => {
    const { issue, extend, rebind, revoke, read } = actions()
    const body = issueBody(house)
    const issued = await issue(body)
    expect(issued).toMatchObject({
      requestId: body.requestId,
      action: 'issue',
      state: 'succeeded',
      credential: { state: 'active', vendor, version: 2, kind: kindOf(vendor) },
    })
    expect(issued.vendorLatencyMs).toBeGreaterThan(0)
    const extended = await extend(issued)
    expect(extended.credential).toMatchObject({
      version: 3,
      validUntil: at(5).replace('Z', '.000Z'),
    })
    const bound = await rebind(issued, [spareRoom()])
    expect(bound.credential).toMatchObject({ version: 4, rooms: [spareRoom()] })
    expect((await revoke(issued)).credential).toMatchObject({ version: 5, state: 'revoked' })
    const { history, ...key } = await read(issued)
    expect(key.requestId).toBe(body.requestId)
    expect(history.map(({ status }) => status)).toEqual([
      'pending',
      'active',
      'active',
      'active',
      'revoked',
    ])
    expect(history[0]).toMatchObject({
      operatorId: body.actor.operatorId,
      causationId: body.causationId,
    })
  })

  it('are listed by reservation, room and state', async () => {
    const { issue, revoke, list } = actions()
    const body = issueBody(house)
    const [first, second] = [await issue(body), await issue({ ...body, ...change() })]
    await revoke(first)
    const { reservationId } = body
    const keysOf = async (query: object) =>
      (await list({ reservationId, ...query })).credentials.map(({ keyId }) => keyId)
    expect(await keysOf({})).toEqual([second.credential?.keyId, first.credential?.keyId])
    expect(await keysOf({ state: 'active' })).toEqual([second.credential?.keyId])
    expect(await keysOf({ roomId: body.rooms[0] })).toHaveLength(2)
    expect(await keysOf({ roomId: newId('rmu') })).toEqual([])
    const page = await list({ reservationId, limit: 1 })
    const rest = await list({ reservationId, limit: 1, cursor: page.nextCursor })
    expect(rest.credentials[0]?.keyId).toBe(first.credential?.keyId)
    expect(rest.nextCursor).toBeNull()
  })

  it('have limits that depend on the vendor', async () => {
    const params = { propertyId: house.propertyId }
    const limits = await served.locks.getVendor({ params }, { tenantId: house.tenantId })
    expect(limits).toMatchObject({ vendor, gateway: 'online' })
    expect(limits.kinds).toContain(kindOf(vendor))
  })
})

describe('a key', () => {
  const house = houseOf('ttlock')
  const actions = () => actionsAt(served, house)

  it('has a PIN in the response of its issue only', async () => {
    const { issue, request, read } = actions()
    const body = issueBody(house)
    const issued = await issue(body)
    expect(issued.secret?.pin).toMatch(/^\d{6}$/)
    const pin = issued.secret?.pin ?? ''
    expect(await issue(body), 'a repetition with another idempotency key').toEqual(issued)
    const elsewhere = [await request(body.requestId), await read(issued)]
    elsewhere.push(...((await drainEvents(served.environment)) as never[]))
    expect(JSON.stringify(elsewhere)).not.toContain(`"${pin}"`)
  })

  it('is issued once for a request id, also by concurrent calls', async () => {
    const { issue, list } = actions()
    const body = issueBody(house)
    const calls = await Promise.allSettled([issue(body), issue(body), issue(body)])
    expect(calls.some(({ status }) => status === 'fulfilled')).toBe(true)
    const { credentials } = await list({ reservationId: body.reservationId })
    expect(credentials).toHaveLength(1)
  })

  it('is not issued by a request id of another action', async () => {
    const { issue } = actions()
    const body = issueBody(house)
    await issue(body)
    const other = { ...body, validUntil: at(9) }
    expect(await rejectionOf(issue(other))).toBe('MELMASTOON.LOCK.REQUEST_ID_REUSED')
  })

  it('is rejected for unknown rooms, kinds and windows', async () => {
    const { issue } = actions()
    const codeOf = (more: object) => rejectionOf(issue({ ...issueBody(house), ...more }))
    expect(await codeOf({ rooms: [newId('rmu')] })).toBe('MELMASTOON.LOCK.NO_CAPABLE_DEVICE')
    expect(await codeOf({ kind: 'qr_code' })).toBe('MELMASTOON.LOCK.NO_CAPABLE_DEVICE')
    expect(await codeOf({ validUntil: at(-1) })).toBe('MELMASTOON.LOCK.WINDOW_INVALID')
  })

  it('changes only in the version that the caller has read', async () => {
    const { issue, extend } = actions()
    const issued = await issue()
    const stale = rejectionOf(extend(issued, { expectedVersion: 1 }))
    expect(await stale).toBe('MELMASTOON.LOCK.VERSION_CONFLICT')
    expect(await extend(issued, { expectedVersion: 2 })).toMatchObject({ state: 'succeeded' })
  })

  it('is not extended after its revocation, and is revoked twice without an error', async () => {
    const { issue, revoke, extend } = actions()
    const issued = await issue()
    await revoke(issued)
    expect(await rejectionOf(extend(issued))).toBe('MELMASTOON.LOCK.ILLEGAL_TRANSITION')
    expect(await revoke(issued)).toMatchObject({ state: 'succeeded', credential: { version: 3 } })
  })

  it('D18 of another tenant is not found', async () => {
    const issued = await actions().issue()
    const other = { ...house, tenantId: newId('tnt') }
    const { read, request, list, issue } = actionsAt(served, other)
    expect(await rejectionOf(read(issued))).toBe('MELMASTOON.LOCK.CREDENTIAL_NOT_FOUND')
    const known = request(issued.requestId)
    expect(await rejectionOf(known)).toBe('MELMASTOON.LOCK.REQUEST_NOT_FOUND')
    expect(await rejectionOf(list({}))).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
    expect(await rejectionOf(issue(issueBody(other)))).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
  })

  it('has valid events without a secret', async () => {
    const { issue, revoke, events } = actions()
    const body = issueBody(house)
    const issued = await issue(body)
    const revoked = await revoke(issued)
    const written = [...(await events(body.requestId)), ...(await events(revoked.requestId))]
    expect(written.map(({ envelope }) => envelope.subject)).toEqual([
      'melmastoon.lock.credential.requested.v1',
      'melmastoon.lock.credential.issued.v1',
      'melmastoon.lock.credential.requested.v1',
      'melmastoon.lock.credential.revoked.v1',
    ])
    expect(written[1]?.payload).toMatchObject({
      status: 'active',
      sequence: 1,
      version: 2,
      causationId: body.causationId,
    })
    await expectValidEvents(served.environment.adminUrl, contracts)
  })
})
