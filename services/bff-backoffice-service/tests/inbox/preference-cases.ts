import { createDeadline } from '@melmastoon/chassis/clock'
import { newId, problem } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { preferencesTag, readPreferences } from '../../src/preferences/preferences.ts'
import { startBackoffice } from '../harness/start-backoffice.ts'
import { shared, signIn } from './inbox-fixture.ts'

interface Shortcut {
  readonly action: string
  readonly keys: string
  readonly isChanged: boolean
}

const path = () => `/preferences?propertyId=${shared.propertyId}`
const change = (payload: object, expectedVersion?: number) => ({
  propertyId: shared.propertyId,
  payload,
  expectedVersion,
})

describe('preferences', () => {
  it('B6 have versions, and the second of two changes is rejected with the first', async () => {
    const staff = await signIn(shared.running, 'technician')
    const empty = await staff.get(path())
    expect(empty.body).toMatchObject({ payload: {}, version: 0, source: 'current' })
    expect(empty.headers.get('etag')).toBe('"0"')
    const results = await Promise.all([
      staff.put('/preferences', change({ theme: 'dark' }, 0)),
      staff.put('/preferences', change({ theme: 'light' }, 0)),
    ])
    expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const [won] = results.filter(({ status }) => status === 200)
    const [lost] = results.filter(({ status }) => status === 409)
    expect(lost?.body).toMatchObject({
      code: 'MELMASTOON.TENANT.VERSION_CONFLICT',
      current: { payload: won?.body['payload'], version: 1 },
    })
    const next = await staff.put('/preferences', change({ theme: 'auto' }), { 'if-match': '"1"' })
    expect([next.status, next.headers.get('etag')]).toEqual([200, '"2"'])
    expect((await staff.get(path())).body).toMatchObject({ payload: { theme: 'auto' }, version: 2 })
  })

  it.each([
    [{}, {}],
    [{}, { 'if-match': 'W/"x"' }],
    [{ expectedVersion: 1 }, { 'if-match': '"2"' }],
    [{ expectedVersion: 0, payload: { text: 'x'.repeat(40_000) } }, {}],
    [{ expectedVersion: 0, payload: { text: 'a\u0000b' } }, {}],
    [{ expectedVersion: 0, payload: { 'a\ud800': 1 } }, {}],
  ])('B6 are rejected without one valid version, or when too large: %#', async (more, headers) => {
    const json = { ...change({}), ...more }
    const { status, body } = await shared.desk.put('/preferences', json, headers)
    expect([status, body['code']]).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
  })

  it('B6 are read from the mirror while the tenant service does not respond', async () => {
    const staff = await signIn(shared.running, 'manager')
    const { body } = await staff.get(path())
    const stored = await staff.put(
      '/preferences',
      change({ density: 'compact' }, body['version'] as number),
    )
    expect(stored.status).toBe(200)
    // Another process, which has not cached them.
    await using other = await startBackoffice({ env: shared.running.env })
    const { ctx } = other
    await ctx.cache.invalidate([preferencesTag({ operatorId: staff.device.tokens.operatorId })])
    using deadline = createDeadline(5_000)
    const { tenantId, operatorId } = staff.device.tokens
    const unavailable = () => Promise.reject(problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'))
    const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: false }
    const key = { tenantId, operatorId, propertyId: shared.propertyId }
    const deps = { ...ctx, upstreams: { tenant: { getOperatorPreferences: unavailable } } }
    expect(await readPreferences(deps, key, { deadline, trace })).toMatchObject({
      payload: { density: 'compact' },
      source: 'mirror',
    })
  })

  it('D18 of a property out of scope do not exist', async () => {
    const elsewhere = `/preferences?propertyId=${newId('ppt')}`
    expect((await shared.desk.get(elsewhere)).status).toBe(404)
  })
})

describe('keyboard shortcuts', () => {
  it('B16 are those of the role, with the keys of the operator', async () => {
    const lead = await signIn(shared.running, 'housekeeping-lead')
    const { body } = await lead.get(path())
    const own = { shortcuts: { 'task.inspect': 'alt+9', 'task.start': 7 } }
    await lead.put('/preferences', change(own, body['version'] as number))
    const query = `/keyboard-shortcuts?platform=darwin&propertyId=${shared.propertyId}`
    const first = await lead.get(query)
    const shortcuts = first.body['shortcuts'] as Shortcut[]
    const of = (name: string) => shortcuts.find(({ action }) => action === name)
    expect(of('task.inspect')).toMatchObject({ keys: 'alt+9', isChanged: true })
    expect(of('task.start')).toMatchObject({ keys: 'alt+1', isChanged: false })
    expect(of('work_order.create')).toMatchObject({ keys: 'mod+alt+n' })
    expect(of('reservation.check_in')).toBeUndefined()
    expect(first.headers.get('cache-control')).toBe('private, max-age=3600')
    const etag = first.headers.get('etag') ?? ''
    expect((await lead.get(query, { 'if-none-match': etag })).status).toBe(304)
    expect(new Set(shortcuts.map(({ keys }) => keys)).size).toBe(shortcuts.length)
  })
})
