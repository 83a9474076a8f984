import { newId } from '@melmastoon/domain'
import type { StaffDevice } from '@melmastoon/testkit/staff-device'
import { DEMO_STAFF } from '@melmastoon/upstream-contracts/iam/demo-staff'
import { createLocalJWKSet, createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitPage } from '../control-room/visit-page.ts'
import { drainEvents, rejectionOf, send } from '../start-sandbox.ts'
import { own, type RunningIam, startIam } from './iam-fixture.ts'

let running: RunningIam
beforeAll(async () => {
  running = await startIam()
})
afterAll(() => running[Symbol.asyncDispose]())

const SIGN_IN = '/iam/v1/auth/sign-in'
const EXPECTED = {
  issuer: 'https://iam.melmastoon.ghasi.io',
  audience: 'bff-backoffice',
  typ: 'at+jwt',
}

const verify = (accessToken: string) => {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', running.url))
  return jwtVerify(accessToken, keys, { ...EXPECTED, currentDate: running.clock.now() })
}

/** Sends a sign-in with a proof of our choice. */
async function signInWith(
  device: StaffDevice,
  claims: Readonly<Record<string, unknown>> = {},
  publicJwk = device.publicJwk,
) {
  const htu = new URL(SIGN_IN, running.url).href
  const proof = await device.proof({ method: 'POST', htu, claims })
  return await send(running.url, 'POST', SIGN_IN, {
    json: {
      tenantSlug: DEMO_STAFF.tenantSlug,
      username: 'desk',
      password: DEMO_STAFF.password,
      device: { name: 'Front desk', platform: 'win32', appVersion: '1.2.3', publicJwk },
    },
    headers: { dpop: proof },
  })
}

async function currentNonce(device: StaffDevice): Promise<string> {
  return (await signInWith(device)).headers.get('dpop-nonce') ?? ''
}

describe('sign-in', () => {
  it.each(['ES256', 'EdDSA'] as const)('returns a token bound to the %s key', async (algorithm) => {
    const device = await running.signedIn({ algorithm })
    const { payload, protectedHeader } = await verify(device.tokens.accessToken)
    const { tenantId, operatorId, deviceId, sessionId } = device.tokens
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' })
    expect(payload).toMatchObject({
      sub: operatorId,
      tenant: tenantId,
      did: deviceId,
      sid: sessionId,
      cnf: { jkt: device.jkt },
      roles: ['front_desk'],
      amr: ['pwd'],
    })
    expect(payload['props']).toHaveLength(1)
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900)
  })

  it('gives the owner all properties', async () => {
    const { tokens } = await running.signedIn({ username: 'owner' })
    expect((await verify(tokens.accessToken)).payload['props']).toEqual(['*'])
  })

  it('registers a key once, with one event', async () => {
    const device = await running.signedIn()
    const { deviceId, tenantId, sessionId } = device.tokens
    const again = await device.signIn()
    expect(again.deviceId).toBe(deviceId)
    expect(again.sessionId).not.toBe(sessionId)
    const { devices } = await running.iam.listDevices({ query: { limit: 100 } }, { tenantId })
    expect(devices.filter((each) => each.deviceId === deviceId)).toHaveLength(1)
    const events = await drainEvents(running.environment, '%iam.device.registered.v1')
    const own = events.filter(({ payload }) => JSON.stringify(payload).includes(deviceId))
    expect(own).toHaveLength(1)
    expect(JSON.stringify(own)).not.toContain('Test device')
  })

  it('STAFF-AUTH-04 works with a clock that is wrong by ten minutes', async () => {
    for (const minutes of [-10, 10]) {
      const now = () => new Date(running.clock.nowMs() + minutes * 60_000)
      const device = await running.device({ now })
      await expect(device.signIn()).resolves.toHaveProperty('accessToken')
    }
  })

  it.each([
    ['without a nonce', {}, 'MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED'],
    [
      'for another URL',
      { htu: 'https://example.com/iam/v1/auth/sign-in' },
      'MELMASTOON.SECURITY.DPOP_PROOF_INVALID',
    ],
    ['for another method', { htm: 'GET' }, 'MELMASTOON.SECURITY.DPOP_PROOF_INVALID'],
  ])('rejects a proof %s', async (_, claims, code) => {
    const device = await running.device()
    const nonce = await currentNonce(device)
    const given = Object.keys(claims).length === 0 ? {} : { nonce, ...claims }
    const response = await signInWith(device, given)
    expect(response).toMatchObject({ status: 401, body: { code } })
    expect(response.headers.get('dpop-nonce')).toBe(nonce)
    expect(response.headers.get('www-authenticate')).toMatch(/^DPoP error="/)
  })

  it('accepts a proof for the configured URL', async () => {
    const device = await running.device()
    const nonce = await currentNonce(device)
    const htu = `http://127.0.0.1:8090${SIGN_IN}`
    expect((await signInWith(device, { nonce, htu })).status).toBe(200)
  })

  it.each(['', 'not a proof', 'a.b.c'])('rejects %j as a proof', async (dpop) => {
    const device = await running.device()
    const { publicJwk } = device
    const response = await send(running.url, 'POST', SIGN_IN, {
      json: {
        tenantSlug: DEMO_STAFF.tenantSlug,
        username: 'desk',
        password: DEMO_STAFF.password,
        device: { name: 'Front desk', platform: 'win32', appVersion: '1.2.3', publicJwk },
      },
      headers: { dpop },
    })
    expect(response.body['code']).toBe('MELMASTOON.SECURITY.DPOP_PROOF_INVALID')
  })

  it('rejects a proof of another key than the one to be registered', async () => {
    const device = await running.device()
    const other = await running.device()
    const nonce = await currentNonce(device)
    const response = await signInWith(device, { nonce }, other.publicJwk)
    expect(response.body['code']).toBe('MELMASTOON.SECURITY.DPOP_PROOF_INVALID')
  })

  it.each([{ password: 'wrong' }, { username: 'nobody' }, { tenantSlug: 'no-such-hotel' }])(
    'rejects %o with one code',
    async (wrong) => {
      const device = await running.device(wrong)
      await expect(device.signIn()).rejects.toThrow('401 {')
      await expect(device.signIn()).rejects.toThrow('MELMASTOON.IAM.INVALID_CREDENTIALS')
    },
  )

  it('locks an account after ten wrong passwords, known or not, for five minutes', async () => {
    for (const username of ['housekeeper', 'unknown']) {
      const wrong = await running.device({ username, password: 'wrong' })
      for (let attempt = 0; attempt < 10; attempt += 1) {
        await expect(wrong.signIn()).rejects.toThrow('INVALID_CREDENTIALS')
      }
      await expect(wrong.signIn()).rejects.toThrow('RATE_LIMITED')
    }
    const right = await running.device({ username: 'housekeeper' })
    await expect(right.signIn()).rejects.toThrow('429')
    running.clock.offsetMs += 5 * 60_000 + 1_000
    await right.signIn()
  })
})

describe('signing keys', () => {
  it('STAFF-AUTH-08 rotate: old tokens verify until they have expired', async () => {
    const before = await running.signedIn()
    const { kid } = (await send(running.url, 'POST', '/admin/api/iam/rotate-keys')).body
    const after = await running.signedIn()
    expect((await verify(before.tokens.accessToken)).protectedHeader.kid).not.toBe(kid)
    expect((await verify(after.tokens.accessToken)).protectedHeader.kid).toBe(kid)
    const both = await running.iam.jwks({})
    expect(both.keys[0]?.kid).toBe(kid)
    expect(both.keys.length).toBeGreaterThan(1)
    expect(JSON.stringify(both)).not.toContain('"d"')
    running.clock.offsetMs += 16 * 60_000 + 1_000
    expect((await running.iam.jwks({})).keys.map((key) => key.kid)).toEqual([kid])
  })

  it('rotate concurrently to one active key', async () => {
    await Promise.all(Array.from({ length: 5 }, () => running.sandbox.ctx.modules.iam.rotateKeys()))
    const [row] = await running.environment.query<{ count: number }>(
      'select count(*)::int as count from sandbox.iam_signing_key where retired_at is null',
      [],
    )
    expect(row?.count).toBe(1)
    const { tokens } = await running.signedIn()
    const keys = createLocalJWKSet(await running.iam.jwks({}))
    await jwtVerify(tokens.accessToken, keys, { currentDate: running.clock.now() })
  })

  it('are public with a lifetime of five minutes', async () => {
    const response = await send(running.url, 'GET', '/.well-known/jwks.json')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  })
})

describe('sessions', () => {
  const SESSION_NOT_FOUND = 'MELMASTOON.IAM.SESSION_NOT_FOUND'

  it('are found by their tenant and key only', async () => {
    const { tokens, jkt } = await running.signedIn()
    const { sessionId, tenantId, operatorId, deviceId } = tokens
    const read = (of: typeof tenantId, query: { jkt?: string } = {}) =>
      running.iam.validateSession({ params: { sessionId }, query }, { tenantId: of })
    const session = { sessionId, tenantId, operatorId, deviceId, jkt, status: 'active' }
    expect(await read(tenantId, { jkt })).toMatchObject(session)
    expect(await rejectionOf(read(tenantId, { jkt: 'A'.repeat(43) }))).toBe(SESSION_NOT_FOUND)
    expect(await rejectionOf(read(newId('tnt')))).toBe(SESSION_NOT_FOUND)
  })

  it('are revoked once, with one event, and then refused', async () => {
    const { tokens, jkt } = await running.signedIn()
    const { sessionId, tenantId, refreshToken } = tokens
    const revoke = (of = tenantId) =>
      running.iam.revokeSession(
        { params: { sessionId }, body: { reasonCode: 'sign_out' } },
        own(of),
      )
    expect(await rejectionOf(revoke(newId('tnt')))).toBe(SESSION_NOT_FOUND)
    expect((await revoke()).status).toBe('revoked')
    expect((await revoke()).status).toBe('revoked')
    expect(await rejectionOf(running.iam.refresh({ body: { refreshToken, jkt } }))).toBe(
      'MELMASTOON.IAM.REFRESH_INVALID',
    )
    const events = await drainEvents(running.environment, '%iam.session.revoked.v1')
    expect(
      events.filter(({ payload }) => JSON.stringify(payload).includes(sessionId)),
    ).toHaveLength(1)
  })

  it('are shown in the control room, with buttons that revoke, disable and change roles', async () => {
    const { tokens } = await running.signedIn({ username: 'manager' })
    const { sessionId, tenantId, operatorId } = tokens
    const params = { operatorId }
    const manager = await running.tenant.getOperator({ params }, { tenantId })
    const { displayName } = manager
    const page = await visitPage(running.url, `/?tenant=${tenantId}`)
    expect(page.section('staff')).toContain(displayName)
    const revoked = await page.press(`Sign out ${sessionId}`)
    expect(revoked.html).toContain('The session is revoked.')
    expect(revoked.section('staff')).not.toContain(sessionId)
    await revoked.press(`Change role of ${displayName}`, { role: 'owner' })
    const disabled = await revoked.press(`Disable ${displayName}`)
    expect(await running.tenant.getOperator({ params }, { tenantId })).toMatchObject({
      roles: ['owner'],
      status: 'disabled',
    })
    await disabled.press(`Enable ${displayName}`)
    await running.signedIn({ username: 'manager' })
  })
})

describe('devices', () => {
  it('are listed by page and by property', async () => {
    const { tokens } = await running.signedIn({ username: 'desk', tenantSlug: 'noor-serai' })
    const { tenantId } = tokens
    await running.signedIn({ username: 'owner', tenantSlug: 'noor-serai' })
    const { nextCursor, devices } = await running.iam.listDevices(
      { query: { limit: 1 } },
      { tenantId },
    )
    expect(devices).toHaveLength(1)
    expect(nextCursor).toBe(devices[0]?.deviceId)
    const cursor = nextCursor ?? newId('dev')
    const rest = await running.iam.listDevices({ query: { cursor } }, { tenantId })
    expect(rest.devices).toHaveLength(1)
    expect(rest.nextCursor).toBeUndefined()
    const elsewhere = { propertyId: newId('ppt') }
    const others = await running.iam.listDevices({ query: elsewhere }, { tenantId })
    expect(others.devices.map((device) => device.deviceId)).not.toContain(tokens.deviceId)
  })
})
