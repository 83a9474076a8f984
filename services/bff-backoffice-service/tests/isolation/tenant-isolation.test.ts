import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROLE_TABLE } from '../../src/access/role-table.ts'
import { type Staff, signIn } from '../harness/staff.ts'
import { type Backoffice, OTHER_SLUG, startWithSandbox } from '../harness/start-backoffice.ts'
import { idsOf, type ObjectIds, unknownIds } from './object-ids.ts'
import { REQUESTS, type Request, WITHOUT_OBJECTS } from './requests.ts'

/** A hotel with two properties: its front desk works at the first one only. */
const SLUG = 'gulistan-hotel'
const NOT_FOUND = 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'

let office: Backoffice
const staff = new Map<string, Staff>()
const scopes = new Map<string, readonly string[]>()
/** A manager of another tenant, and objects of theirs. */
let other: Staff
let foreign: ObjectIds
let outOfScope: ObjectIds

function desk(): Staff {
  const device = staff.get('desk')
  if (device === undefined) throw new TypeError('the desk is not signed in')
  return device
}

beforeAll(async () => {
  office = await startWithSandbox()
  for (const name of ['desk', 'housekeeping-lead', 'technician', 'manager']) {
    const device = await signIn(office, name, { slug: SLUG })
    staff.set(name, device)
    scopes.set(name, (await device.read<{ properties: string[] }>('/session')).body.properties)
  }
  other = await signIn(office, 'manager', { slug: OTHER_SLUG })
  foreign = await idsOf(other, await other.propertyId())
  const owner = await signIn(office, 'manager', { slug: SLUG })
  const { body } = await owner.read<{ properties: string[] }>('/session')
  const mine = await staff.get('desk')?.propertyId()
  outOfScope = await idsOf(owner, body.properties.find((id) => id !== mine) ?? '')
})
afterAll(() => office[Symbol.asyncDispose]())

async function send({ as, method, path, json }: Request) {
  const device = staff.get(as)
  if (device === undefined) throw new TypeError(`${as} is not signed in`)
  const response = await device.fetch(path, {
    method: method ?? (json === undefined ? 'GET' : 'POST'),
    ...(json !== undefined && { json }),
  })
  const {
    requestId: _,
    traceId: __,
    instance: ___,
    ...body
  } = (await response.json()) as Record<string, unknown>
  return { status: response.status, body }
}

describe('objects of others', () => {
  it('RLS-11 every operation is in the list of cases, or names no object', () => {
    const listed = [...Object.keys(REQUESTS), ...WITHOUT_OBJECTS]
    expect(listed.toSorted()).toEqual(Object.keys(ROLE_TABLE).toSorted())
  })

  it.each(Object.entries(REQUESTS))(
    'RLS-11 %s: another tenant’s do not exist',
    async (_, build) => {
      const unknown = await send(build(unknownIds()))
      expect(unknown.status).toBe(404)
      expect(await send(build(foreign))).toEqual(unknown)
    },
  )

  it.each(Object.entries(REQUESTS))('RLS-12 %s: nor do those out of scope', async (_, build) => {
    const scope = scopes.get(build(outOfScope).as) ?? []
    if (scope.includes('*') || scope.includes(outOfScope.propertyId)) return
    const unknown = await send(build(unknownIds()))
    expect(await send(build(outOfScope))).toEqual(unknown)
  })

  it('RLS-11 they exist for their own staff (control)', async () => {
    const reads = Object.values(REQUESTS)
      .map((build) => build(foreign))
      .filter(({ json }) => json === undefined)
    for (const { path } of reads) {
      expect([path, (await other.fetch(path)).status]).toEqual([path, 200])
    }
  })

  it('RLS-12 a role that may not use an operation is rejected before any object is read', async () => {
    const technician = await signIn(office, 'technician', { slug: SLUG })
    const paths = [foreign, outOfScope, unknownIds()].map(
      ({ reservationId }) => `/reservations/${reservationId}/check-out`,
    )
    const sent = await Promise.all(paths.map((path) => technician.post(path, {})))
    expect(sent.map(({ status }) => status)).toEqual([403, 403, 403])
  })
})

describe('what one tenant has received, used by another', () => {
  it('RLS-13 a cursor is rejected', async () => {
    const own = await desk().propertyId()
    const listed = await other.read<{ delta: { cursor: string } }>(
      `/arrivals?propertyId=${foreign.propertyId}`,
    )
    const since = encodeURIComponent(listed.body.delta.cursor)
    for (let time = 0; time < 2; time += 1) {
      await other.post(`/alerts/${foreign.alertId}/acknowledge`, {})
    }
    const { body } = await other.read<{ page: { nextCursor: string } }>('/activity?limit=1')
    expect(body.page.nextCursor).toEqual(expect.any(String))
    const cursor = encodeURIComponent(body.page.nextCursor)
    const paths = [
      `/arrivals?propertyId=${own}&since=${since}`,
      `/arrivals?propertyId=${own}&cursor=${since}`,
      `/activity?limit=1&cursor=${cursor}`,
    ]
    for (const path of paths) {
      const { status, body: rejected } = await desk().read(path)
      expect([path, status, rejected['code']]).toEqual([
        path,
        400,
        'MELMASTOON.BFF.BACKOFFICE.CURSOR_INVALID',
      ])
    }
    expect((await other.read(`/activity?limit=1&cursor=${cursor}`)).status).toBe(200)
  })

  it('RLS-13 the id of an event is a gap without data', async () => {
    const polled = await other.read<{ lastEventId: string }>('/sse/poll')
    const { lastEventId } = polled.body
    const { body } = await desk().read(`/sse/poll?after=${lastEventId.replace(/\d+$/, '0')}`)
    expect(body).toMatchObject({ events: [], gap: { refetch: expect.any(Array) } })
  })

  it('RLS-14 an idempotency key is unused here', async () => {
    const [theirs, ours] = [other, desk()]
    const json = (propertyId: string) => ({
      propertyId,
      category: 'it',
      severity: 'low',
      title: 'No network',
    })
    const idempotencyKey = newId('req')
    const path = '/maintenance/work-orders'
    const first = await theirs.post(path, json(foreign.propertyId), { idempotencyKey })
    expect(first.status).toBe(201)
    const own = await ours.propertyId()
    const second = await ours.post(path, json(own), { idempotencyKey })
    expect([second.status, second.body['propertyId']]).toEqual([201, own])
    expect(second.headers.has('idempotent-replayed')).toBe(false)
    const replayed = await theirs.post(path, json(foreign.propertyId), { idempotencyKey })
    expect(replayed.body).toEqual(first.body)
  })

  it('RLS-14 a second factor confirms nothing here', async () => {
    const stay = await idsOf(
      await signIn(office, 'manager', { slug: SLUG }),
      await desk().propertyId(),
    )
    const purpose = {
      action: 'lock.revoke',
      resourceKind: 'reservation',
      resourceId: stay.reservationId,
    }
    const created = await other.post('/auth/mfa/challenges', purpose)
    const { challengeId, challenge } = created.body
    const assertion = other.signChallenge(String(challenge))
    const factor = { factor: 'signed_challenge', challengeId, assertion }
    const attested = await other.post('/auth/mfa/step-up', { ...purpose, ...factor })
    expect(attested.status).toBe(201)
    const { attestationId } = attested.body
    const { status, body } = await desk().post(`/locks/${stay.reservationId}/revoke-key`, {
      keyId: stay.keyId,
      reason: 'lost',
      attestationId,
    })
    expect([status, body['code']]).toEqual([403, 'MELMASTOON.SECURITY.STEP_UP_REQUIRED'])
  })

  it('RLS-15 what is cached for one is not read by another, who may use all of their own', async () => {
    const paths = Object.values(REQUESTS)
      .map((build) => build(foreign))
      .filter(({ json, path }) => json === undefined && path.includes(foreign.propertyId))
      .map(({ path }) => path)
    expect(paths.length).toBeGreaterThan(10)
    const owner = await signIn(office, 'owner', { slug: SLUG })
    for (const path of paths) {
      expect([path, (await other.fetch(path)).status]).toEqual([path, 200])
      const { status, body } = await owner.read(path)
      const unknown = await owner.read(path.replace(foreign.propertyId, newId('ppt')))
      expect([path, status, body['code']]).toEqual([path, unknown.status, unknown.body['code']])
      // 200: lists of the own tenant, in which the property does not occur.
      expect([path, body['rows']]).toEqual([path, unknown.body['rows']])
    }
  })

  it('RLS-16 no header names the tenant: the token does', async () => {
    const { tenantId } = other.tokens
    const headers = {
      host: 'margalla-view.localhost',
      'x-forwarded-host': 'margalla-view.localhost',
      'x-tenant-id': tenantId,
      'x-melmastoon-tenant': tenantId,
    }
    const path = `/arrivals?propertyId=${foreign.propertyId}`
    for (const [name, value] of Object.entries(headers)) {
      const found = await desk().request(path, { headers: { [name]: value } })
      expect([name, found.status, found.body['code']]).toEqual([name, 404, NOT_FOUND])
      const session = await desk().request('/session', { headers: { [name]: value } })
      expect(session.body['tenantId']).toBe(desk().tokens.tenantId)
    }
  })
})
