import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BackofficeWithFakes, startWithFakes } from '../harness/start-with-fakes.ts'
import { TestDevice } from '../harness/test-device.ts'

let running: BackofficeWithFakes
let device: TestDevice
const received: unknown[] = []
beforeAll(async () => {
  running = await startWithFakes()
  const { platform } = running
  device = await TestDevice.signIn(platform, platform.newOperator())
  const { sessionId, operatorId, deviceId, tenantId } = device
  platform.overrides.set('refresh', (body) => {
    received.push(body)
    const familyExpiresAt = new Date(Date.now() + 60_000).toISOString()
    const ids = { sessionId, operatorId, deviceId, tenantId, familyExpiresAt }
    const tokens = { accessToken: 'a', refreshToken: `after ${received.length}`, expiresIn: 900 }
    return { status: 200, body: { ...tokens, ...ids } }
  })
})
afterAll(() => running[Symbol.asyncDispose]())

const refresh = (presented = {}) =>
  device.send(running.service, {
    method: 'POST',
    path: '/auth/refresh',
    json: { refreshToken: 'the token' },
    headers: { authorization: '' },
    presented,
  })

describe('POST /auth/refresh', () => {
  it('sends the token and the thumbprint of the proven key to iam', async () => {
    const response = await refresh()
    expect(response.body).toMatchObject({ accessToken: 'a', sessionId: device.sessionId })
    expect(received).toEqual([{ refreshToken: 'the token', jkt: device.jkt }])
    const { environment } = running
    const rows = await environment.query<{ session_id: string; device_id: string }>(
      `select session_id, device_id from ${environment.schema}.operator_activity
       where action = 'session.refresh'`,
    )
    expect(rows).toEqual([{ session_id: device.sessionId, device_id: device.deviceId }])
  })

  it('requires a proof with a nonce, once', async () => {
    const before = received.length
    const without = await refresh({ proof: 'x' })
    expect(without.body['code']).toBe('MELMASTOON.SECURITY.DPOP_PROOF_INVALID')
    const nonce = await device.sendOnce(running.service, {
      method: 'POST',
      path: '/auth/refresh',
      json: { refreshToken: 'the token' },
      presented: { nonce: undefined },
    })
    expect(nonce.body['code']).toBe('MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED')
    const elsewhere = await refresh({ proof: await device.proof('POST', '/auth/sign-out') })
    expect(elsewhere.body['code']).toBe('MELMASTOON.SECURITY.DPOP_PROOF_INVALID')
    expect(received).toHaveLength(before)
    const proof = await device.proof('POST', '/auth/refresh')
    expect((await refresh({ proof })).status).toBe(200)
    expect((await refresh({ proof })).body['code']).toBe('MELMASTOON.SECURITY.DPOP_REPLAYED')
    expect(received).toHaveLength(before + 1)
  })

  it('STAFF-AUTH-03 challenges a used proof after the store was emptied', async () => {
    const send = (presented: object) => {
      const options = { json: { refreshToken: 'the token' }, headers: { authorization: '' } }
      return device.sendOnce(running.service, {
        method: 'POST',
        path: '/auth/refresh',
        ...options,
        presented,
      })
    }
    const proof = await device.proof('POST', '/auth/refresh')
    expect((await send({ proof })).status).toBe(200)
    await running.service.ctx.sessionRedis.flushdb()
    const before = received.length
    const again = await send({ proof })
    expect(again.body['code']).toBe('MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED')
    expect(received).toHaveLength(before)
    expect((await refresh()).status).toBe(200)
  })

  it('STAFF-AUTH-13 while iam is down: one attempt, 503, and the token is kept', async () => {
    const { platform } = running
    const before = platform.count('refresh')
    platform.down.add('refresh')
    const response = await refresh()
    expect([response.status, response.body['code']]).toEqual([
      503,
      'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE',
    ])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(response.headers.has('dpop-nonce')).toBe(true)
    expect(platform.count('refresh') - before).toBe(1)
    platform.down.clear()
    await eventually(async () => expect((await refresh()).status).toBe(200))
  })
})

describe('GET /idempotency/{key}', () => {
  it('tells a device what it used a key for, and no other device', async () => {
    const { platform, service } = running
    platform.overrides.set('factors', () => ({ status: 200, body: { factors: ['totp'] } }))
    const challenge = { challenge: 'A'.repeat(43), expiresAt: '2026-04-23T09:14:22.000Z' }
    platform.overrides.set('createMfaChallenge', () => ({
      status: 201,
      body: { challengeId: newId('chl'), ...challenge },
    }))
    const key = crypto.randomUUID()
    const json = { action: 'lock.revoke', resourceKind: 'reservation', resourceId: newId('rsv') }
    const path = '/auth/mfa/challenges'
    expect((await device.send(service, { method: 'POST', path, key, json })).status).toBe(201)
    const found = await device.get(service, `/idempotency/${key}`)
    expect(found.body).toEqual({ uses: [{ operation: 'staff.mfa.challenge', status: 201 }] })
    const operator = platform.operators.get(device.operatorId)
    if (operator === undefined) throw new TypeError('no operator')
    const other = await TestDevice.signIn(platform, operator, device.tenantId)
    expect((await other.get(service, `/idempotency/${key}`)).status).toBe(404)
  })

  it.each(['short', 'a-key%20with-a-space', 'two-keys-joined,by-a-comma'])(
    'an invalid key has one code: %s',
    async (key) => {
      const { status, body } = await device.get(running.service, `/idempotency/${key}`)
      expect([status, body['code']]).toEqual([400, 'MELMASTOON.IDEMPOTENCY.KEY_INVALID'])
      expect(body['errors']).toMatchObject([{ pointer: '/params/key' }])
    },
  )
})
