import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMovedClock } from '../harness/moved-clock.ts'
import { type BackofficeWithFakes, startWithFakes } from '../harness/start-with-fakes.ts'
import { BASE, TestDevice } from '../harness/test-device.ts'
import { anyKey } from './negative-controls.ts'

const clock = createMovedClock()
let running: BackofficeWithFakes
beforeAll(async () => {
  running = await startWithFakes({ clock, access: { failures: 10_000 } })
})
afterAll(() => running[Symbol.asyncDispose]())

const TOKEN = 'MELMASTOON.SECURITY.TOKEN_INVALID'
const MINUTE_MS = 60_000

async function newDevice(
  change: Parameters<BackofficeWithFakes['platform']['newOperator']>[0] = {},
) {
  const { platform, service } = running
  const device = await TestDevice.signIn(platform, platform.newOperator(change))
  await device.renewAt(platform, clock.nowMs())
  expect((await device.get(service, '/session')).status).toBe(200)
  return device
}

async function codeOf(device: TestDevice, token: string, deviceId?: string): Promise<unknown> {
  const presented = { token, ...(deviceId !== undefined && { deviceId }) }
  const response = await device.get(running.service, '/session', presented)
  return response.status === 200 ? 'accepted' : response.body['code']
}

/** Method and path of every route of the API that needs an access token. */
function routesWithToken(): [method: string, path: string][] {
  const { paths = {} } = running.service.app.swagger()
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(BASE) && !/\/(auth\/refresh|messages\/.*)$/.test(path))
    .flatMap(([path, methods]) =>
      Object.keys(methods ?? {}).map((method): [string, string] => [
        method.toUpperCase(),
        path.slice(BASE.length).replaceAll(/\{[^}]+\}/g, 'x'),
      ]),
    )
}

describe('an access token', () => {
  it('is accepted as iam signs it, and rejected with any other claim or header', async () => {
    const { platform } = running
    const device = await newDevice()
    const operator = platform.operators.get(device.operatorId)
    if (operator === undefined) throw new TypeError('no operator')
    const claims = { ...device.claims(operator), ...device.timesAt(clock.nowMs()) }
    expect(await codeOf(device, await platform.token(claims))).toBe('accepted')
    const wrong = [
      platform.token({ ...claims, iss: 'https://evil.example' }),
      platform.token({ ...claims, aud: 'bff-consumer' }),
      platform.token({ ...claims, cnf: {} }),
      platform.token({ ...claims, sid: newId('gms') }),
      platform.token({ ...claims, roles: [] }),
      platform.token({ ...claims, iat: Math.floor(clock.nowMs() / 1_000) + 600 }),
      platform.token(claims, { typ: 'JWT' }),
      platform.token(claims, { kid: 'unknown' }),
    ]
    for (const token of wrong) expect(await codeOf(device, await token)).toBe(TOKEN)
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    const kid = platform.currentKid()
    const forged = await new SignJWT({ ...claims, iss: 'x', aud: 'bff-backoffice' })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
      .sign(privateKey)
    expect(await codeOf(device, forged)).toBe(TOKEN)
  })

  it('expires', async () => {
    const { platform } = running
    const device = await newDevice()
    const exp = Math.floor(clock.nowMs() / 1_000) - 1
    const operator = platform.newOperator()
    const token = await platform.token({ ...device.claims(operator), exp })
    expect(await codeOf(device, token)).toBe('MELMASTOON.SECURITY.TOKEN_EXPIRED')
    clock.advance(16 * MINUTE_MS)
    expect(await codeOf(device, device.token)).toBe('MELMASTOON.SECURITY.TOKEN_EXPIRED')
  })

  it('belongs to the device that sends it', async () => {
    const device = await newDevice()
    const mismatch = 'MELMASTOON.SECURITY.DEVICE_MISMATCH'
    expect(await codeOf(device, device.token, newId('dev'))).toBe(mismatch)
    expect(await codeOf(device, device.token, '')).toBe(mismatch)
  })

  it('STAFF-AUTH-01 is of no use without its key, unless the binding is not checked', async () => {
    const { service } = running
    const [owner, thief] = [await newDevice(), await newDevice()]
    const stolen = { token: owner.token, deviceId: owner.deviceId }
    const routes = routesWithToken()
    expect(routes.length).toBeGreaterThan(5)
    for (const [method, path] of routes) {
      const options = method === 'GET' ? {} : { json: {}, key: crypto.randomUUID() }
      const response = await thief.send(service, { method, path, ...options, presented: stolen })
      const { body } = response
      expect([path, body['code']]).toEqual([path, 'MELMASTOON.SECURITY.DPOP_PROOF_INVALID'])
    }
    await using unsafe = await running.startAnother({ access: anyKey })
    expect((await thief.get(unsafe, '/session', stolen)).status).toBe(200)
  })
})

describe('the keys of iam', () => {
  it('STAFF-AUTH-07 are read once for a flood of unknown key ids', async () => {
    const { platform, service } = running
    const device = await newDevice()
    clock.advance(MINUTE_MS)
    await device.renewAt(platform, clock.nowMs())
    const before = platform.count('jwks')
    const operator = platform.newOperator()
    const tokens = await Promise.all(
      Array.from({ length: 50 }, () =>
        platform.token(device.claims(operator), { kid: crypto.randomUUID() }),
      ),
    )
    const codes = await Promise.all(tokens.map((token) => codeOf(device, token)))
    expect(new Set(codes)).toEqual(new Set([TOKEN]))
    expect(platform.count('jwks') - before).toBe(1)
    expect((await device.get(service, '/session')).status).toBe(200)
  })

  it('STAFF-AUTH-08 rotate without a failure, and are trusted while iam publishes them', async () => {
    const { platform, service } = running
    const device = await newDevice()
    clock.advance(MINUTE_MS)
    await device.renewAt(platform, clock.nowMs())
    expect((await device.get(service, '/session')).status).toBe(200)
    const old = device.token
    await platform.rotateKey()
    await device.renewAt(platform, clock.nowMs())
    expect(await codeOf(device, device.token)).toBe('accepted')
    expect(await codeOf(device, old)).toBe('accepted')
    platform.dropOldKeys()
    clock.advance(6 * MINUTE_MS)
    await eventually(async () => {
      expect(await codeOf(device, old)).toBe(TOKEN)
    })
    expect(await codeOf(device, device.token)).toBe('accepted')
  })

  it('stay valid while iam is down', async () => {
    const { platform } = running
    const device = await newDevice()
    platform.down.add('jwks')
    clock.advance(6 * MINUTE_MS)
    await device.renewAt(platform, clock.nowMs())
    expect(await codeOf(device, device.token)).toBe('accepted')
    platform.down.clear()
  })
})

describe('nonces', () => {
  it('STAFF-AUTH-05 change under load without a visible 401', async () => {
    const { platform, service } = running
    const device = await newDevice()
    device.challenges = 0
    for (let step = 0; step < 5; step += 1) {
      clock.advance(MINUTE_MS)
      await device.renewAt(platform, clock.nowMs())
      const requests = Array.from({ length: 10 }, () => device.get(service, '/session'))
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
    expect(device.challenges).toBe(0)
    clock.advance(2 * MINUTE_MS)
    await device.renewAt(platform, clock.nowMs())
    expect((await device.get(service, '/session')).status).toBe(200)
    expect(device.challenges).toBe(1)
  })
})

describe('roles and properties', () => {
  it('are those that both the token and the record have', async () => {
    const { platform, service } = running
    const [kept, lost, added] = [newId('ppt'), newId('ppt'), newId('ppt')]
    const device = await newDevice({
      roles: ['front_desk', 'housekeeping'],
      properties: [kept, lost],
    })
    const operator = platform.operators.get(device.operatorId)
    if (operator === undefined) throw new TypeError('no operator')
    const change = async (record: Partial<typeof operator>) => {
      platform.operators.set(operator.operatorId, { ...operator, ...record })
      await service.ctx.cache.invalidate([`operator:${operator.operatorId}`])
      return await device.get(service, '/session')
    }
    const less = await change({ roles: ['housekeeping', 'owner'], properties: [kept, added] })
    expect(less.body).toMatchObject({ roles: ['housekeeping'], properties: [kept] })
    const all = await change({ properties: '*' })
    expect(all.body).toMatchObject({ properties: [kept, lost] })
    const other = await change({ roles: ['maintenance'] })
    expect(other.body['code']).toBe(TOKEN)
    const disabled = await change({ status: 'disabled' })
    expect(disabled.body['code']).toBe('MELMASTOON.SESSION.REVOKED')
  })
})

describe('failures of an address', () => {
  it('are limited, without effect on devices that have succeeded before', async () => {
    await using limited = await running.startAnother({ access: { failures: 60 } })
    const { platform } = running
    const good = await newDevice()
    expect((await good.get(limited, '/session')).status).toBe(200)
    const stranger = await TestDevice.signIn(platform, platform.newOperator())
    await stranger.renewAt(platform, clock.nowMs())
    const attempts = Array.from({ length: 120 }, () =>
      stranger.sendOnce(limited, {
        method: 'GET',
        path: '/session',
        presented: { token: 'e30.e30.AA', proof: 'x' },
      }),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(60)
    const refused = await stranger.sendOnce(limited, { method: 'GET', path: '/session' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    await good.renewAt(platform, clock.nowMs())
    expect((await good.get(limited, '/session')).status).toBe(200)
  })
})
