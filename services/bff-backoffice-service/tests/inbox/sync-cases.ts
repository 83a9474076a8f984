import { newId } from '@melmastoon/domain'
import { send } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { shared, signIn } from './inbox-fixture.ts'

describe('sync', () => {
  it('B8 advances the cursor of the device; of two the second is rejected with it', async () => {
    const staff = await signIn(shared.running, 'desk')
    const { deviceId } = staff.device.tokens
    expect((await staff.get('/sync/cursor')).body).toEqual({
      deviceId,
      pullCursor: null,
      pushAck: null,
      version: 0,
    })
    const first = await staff.post('/sync/cursor', { expectedVersion: 0, pullCursor: 'c1' })
    expect([first.status, first.body['version']]).toEqual([200, 1])
    const late = await staff.post('/sync/cursor', { expectedVersion: 0, pullCursor: 'c0' })
    expect([late.status, late.body['code'], late.body['current']]).toEqual([
      409,
      'MELMASTOON.SYNC.CURSOR_CONFLICT',
      first.body,
    ])
    expect((await staff.get('/sync/cursor')).body).toEqual(first.body)
    const both = await Promise.all(
      ['a', 'b'].map((pushAck) => staff.post('/sync/cursor', { expectedVersion: 1, pushAck })),
    )
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const rows = await shared.running.environment.query(
      `select cursor_version, last_pull_cursor
       from ${shared.running.environment.schema}.device_sync_status where device_id = $1`,
      [deviceId],
    )
    expect(rows).toEqual([{ cursor_version: 2, last_pull_cursor: 'c1' }])
  })

  it('B8 gives the device a token that the sync service accepts, for its properties', async () => {
    const { propertyId } = shared
    const { status, body } = await shared.desk.post('/sync/handshake', {
      propertyIds: [propertyId],
    })
    expect(status).toBe(200)
    const lifetimeMs =
      Date.parse(String(body['expiresAt'])) - Date.parse(String(body['serverTime']))
    expect(Math.round(lifetimeMs / 60_000)).toBe(15)
    const pull = (token: string, of: string = propertyId) =>
      send(shared.running.sandbox.url, 'POST', '/sync/v1/pull', {
        json: { propertyId: of },
        headers: { authorization: `Bearer ${token}` },
      })
    const token = String(body['token'])
    expect((await pull(token)).status).toBe(200)
    expect((await pull(`${token.slice(0, -3)}AAA`)).status).toBe(401)
    expect((await pull(token, newId('ppt'))).status).toBeGreaterThanOrEqual(400)
    const noted = await shared.running.environment.query(
      `select 1 from ${shared.running.environment.schema}.device_sync_status
       where device_id = $1 and last_sync_handshake_at is not null`,
      [shared.desk.device.tokens.deviceId],
    )
    expect(noted).toHaveLength(1)
  })

  it('D18 gives no token for properties out of scope, also to an owner', async () => {
    const foreign = await signIn(shared.running, 'owner', 'margalla-view')
    const asked = { propertyIds: [shared.propertyId] }
    expect((await foreign.post('/sync/handshake', asked)).status).toBe(404)
    const unknown = { propertyIds: [shared.propertyId, newId('ppt')] }
    expect((await shared.desk.post('/sync/handshake', unknown)).status).toBe(404)
  })
})
