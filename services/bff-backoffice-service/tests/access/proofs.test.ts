import { createHmac } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PUBLIC_URL } from '../harness/backoffice-environment.ts'
import { type BackofficeWithFakes, startWithFakes } from '../harness/start-with-fakes.ts'
import { BASE, TestDevice } from '../harness/test-device.ts'
import { athOf, claimsOf, craft, encode, sendRaw } from './proof-requests.ts'

let running: BackofficeWithFakes
let device: TestDevice
beforeAll(async () => {
  running = await startWithFakes()
  device = await TestDevice.signIn(running.platform, running.platform.newOperator())
})
afterAll(() => running[Symbol.asyncDispose]())
/** The device has a nonce of now. */
beforeEach(() => device.get(running.service, '/session'))

const INVALID = 'MELMASTOON.SECURITY.DPOP_PROOF_INVALID'
const NONCE = 'MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED'
const REPLAYED = 'MELMASTOON.SECURITY.DPOP_REPLAYED'
const TOKEN = 'MELMASTOON.SECURITY.TOKEN_INVALID'

/** The code of the response to `GET /session` with this proof; `accepted` for 200. */
async function present(proof: string, path = '/session'): Promise<unknown> {
  const response = await device.sendOnce(running.service, {
    method: 'GET',
    path,
    presented: { proof },
  })
  return response.status === 200 ? 'accepted' : response.body['code']
}

const presentAll = (proofs: readonly Promise<string>[]) =>
  Promise.all(proofs.map(async (proof) => await present(await proof)))

describe('proofs of independent libraries, by HTTP', () => {
  it.each(['ES256', 'Ed25519', 'RS256'] as const)('SEC-D22 %s keys of `dpop`', async (alg) => {
    const { platform, service } = running
    const other = await TestDevice.signIn(platform, platform.newOperator(), undefined, alg)
    expect((await other.get(service, '/session')).status).toBe(200)
    expect(other.challenges).toBe(1)
  })

  it('SEC-D23 exactly one header', async () => {
    const send = (proof: string | string[] | undefined) =>
      sendRaw(running.service, {
        authorization: `DPoP ${device.token}`,
        'x-device-id': device.deviceId,
        ...(proof !== undefined && { dpop: proof }),
      })
    const [one, two] = [await craft(device), await craft(device)]
    expect((await send(undefined)).code).toBe(INVALID)
    expect((await send([one, two])).code).toBe(INVALID)
    expect((await send([one, one])).code).toBe(INVALID)
    expect((await send(`${one}, ${two}`)).code).toBe(INVALID)
    expect((await send(one)).status).toBe(200)
  })

  it('SEC-D24 one well-formed JWT of limited length', async () => {
    const good = await craft(device)
    const [header = '', claims = ''] = good.split('.')
    for (const form of ['x', `${header}.${claims}`, `${header}.${claims}.`, `${good}.x`]) {
      expect([form.length, await present(form)]).toEqual([form.length, INVALID])
    }
    const [long, tooLong] = [2_000, 8_192].map((length) => craft(device, { x: 'x'.repeat(length) }))
    expect(await present((await long) ?? '')).toBe('accepted')
    expect(await present((await tooLong) ?? '')).toBe(INVALID)
  })

  it('SEC-D25 all required claims', async () => {
    const names = ['jti', 'htm', 'htu', 'iat', 'ath']
    const found = await presentAll(names.map((name) => craft(device, { [name]: undefined })))
    expect(found).toEqual(names.map(() => INVALID))
  })

  it('SEC-D26 the type of a proof', async () => {
    const types = [undefined, 'JWT', 'at+jwt', 'DPOP+JWT']
    const found = await presentAll(types.map((typ) => craft(device, {}, { typ })))
    expect(found).toEqual(types.map(() => INVALID))
    expect(await present(device.token)).toBe(INVALID)
  })

  it('SEC-D27 no symmetric or missing algorithm, no weak key', async () => {
    const jwk = await exportJWK(device.keys.publicKey)
    const claims = encode(await claimsOf(device))
    const unsigned = `${encode({ typ: 'dpop+jwt', alg: 'none', jwk })}.${claims}`
    const input = `${encode({ typ: 'dpop+jwt', alg: 'HS256', jwk })}.${claims}`
    const mac = createHmac('sha256', JSON.stringify(jwk)).update(input).digest('base64url')
    for (const proof of [`${unsigned}.`, `${unsigned}.AA`, `${input}.${mac}`]) {
      expect(await present(proof)).toBe(INVALID)
    }
    const { publicKey, privateKey } = await generateKeyPair('ES384')
    const strange = await new SignJWT(await claimsOf(device))
      .setProtectedHeader({ alg: 'ES384', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
      .sign(privateKey)
    expect(await present(strange)).toBe(INVALID)
  })

  it('SEC-D28 a signature by the key in the header', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(device.keys.publicKey)
    const forged = await new SignJWT(await claimsOf(device))
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .sign(privateKey)
    expect(await present(forged)).toBe(INVALID)
    const [header, , signature] = (await craft(device)).split('.')
    const claims = encode({ ...(await claimsOf(device)), jti: 'another' })
    expect(await present(`${header}.${claims}.${signature}`)).toBe(INVALID)
  })

  it('SEC-D29 no private key in the header', async () => {
    const secret = await exportJWK(device.keys.privateKey)
    expect(await present(await craft(device, {}, { jwk: secret }))).toBe(INVALID)
    const jwk = { ...(await exportJWK(device.keys.publicKey)), k: 'AA' }
    expect(await present(await craft(device, {}, { jwk }))).toBe(INVALID)
  })

  it('SEC-D30 the method of the request', async () => {
    const found = await presentAll(['POST', 'get', 'HEAD'].map((htm) => craft(device, { htm })))
    expect(found).toEqual([INVALID, INVALID, INVALID])
    const head = await device.sendOnce(running.service, { method: 'HEAD', path: '/session' })
    expect(head.status).toBe(200)
  })

  it.each([
    ['https://backoffice.test:443/bff/backoffice/v1/session', 'accepted'],
    ['HTTPS://BACKOFFICE.Test/bff/backoffice/v1/session', 'accepted'],
    ['https://backoffice.test/bff/backoffice/v1/%73ession', 'accepted'],
    ['https://backoffice.test/bff/x/../backoffice/v1/session', 'accepted'],
    ['https://backoffice.test/bff/backoffice/v1/session/', INVALID],
    ['https://backoffice.test/bff/backoffice/v1/session?a=1', INVALID],
    ['https://backoffice.test/bff/backoffice/v1/sessions', INVALID],
    ['http://backoffice.test/bff/backoffice/v1/session', INVALID],
    ['https://backoffice.test:8443/bff/backoffice/v1/session', INVALID],
    ['https://backoffice.test.evil/bff/backoffice/v1/session', INVALID],
    ['https://backoffice.test/session', INVALID],
    ['/bff/backoffice/v1/session', INVALID],
  ])('SEC-D31 htu %j is %s', async (htu, expected) => {
    expect(await present(await craft(device, { htu }))).toBe(expected)
  })

  it('SEC-D32 a nonce that we issued; a challenge has the next one', async () => {
    for (const nonce of [undefined, '', 'AAAAAAAAAAAAAAAAAAAAAA', device.nonce?.toLowerCase()]) {
      expect([nonce, await present(await craft(device, { nonce }))]).toEqual([nonce, NONCE])
    }
    const proof = await craft(device, { nonce: undefined })
    const response = await device.sendOnce(running.service, {
      method: 'GET',
      path: '/session',
      presented: { proof },
    })
    expect(response.headers.get('www-authenticate')).toMatch(/^DPoP error="use_dpop_nonce"/)
    expect(await present(await craft(device))).toBe('accepted')
  })

  it('SEC-D33 STAFF-AUTH-04 a clock off by ten minutes costs one retry', async () => {
    for (const offset of [-600, 600]) {
      const iat = Math.floor(Date.now() / 1_000) + offset
      expect(await present(await craft(device, { iat, nonce: undefined }))).toBe(NONCE)
      expect(await present(await craft(device, { iat }))).toBe('accepted')
    }
  })

  it('SEC-D34 the hash of the token, and its key', async () => {
    const { platform, service } = running
    const thief = await TestDevice.signIn(platform, platform.newOperator())
    expect(await present(await craft(device, { ath: await athOf(thief.token) }))).toBe(INVALID)
    await thief.get(service, '/session')
    const { token, deviceId } = device
    const proof = await thief.proof('GET', '/session', { token })
    const stolen = await thief.sendOnce(service, {
      method: 'GET',
      path: '/session',
      presented: { token, deviceId, proof },
    })
    expect(stolen.body['code']).toBe(INVALID)
  })

  it('SEC-D35 a proof is accepted once: not again, not with another query or path', async () => {
    const proof = await craft(device)
    expect(await present(proof)).toBe('accepted')
    expect(await present(proof)).toBe(REPLAYED)
    expect(await present(proof, '/session?again=1')).toBe(REPLAYED)
    expect(await present(proof, '/idempotency/0123456789abcdef')).toBe(INVALID)
    const respelled = await craft(device, { jti: 'the same' })
    const htu = 'https://backoffice.test:443/bff/backoffice/v1/session'
    expect(await present(respelled)).toBe('accepted')
    expect(await present(await craft(device, { jti: 'the same', htu }))).toBe(REPLAYED)
  })

  it('SEC-D36 no other scheme, no token elsewhere', async () => {
    const schemes = ['Bearer', 'Basic', 'DPoP2', '']
    for (const scheme of schemes) {
      const response = await device.sendOnce(running.service, {
        method: 'GET',
        path: '/session',
        presented: { scheme },
      })
      expect([scheme, response.body['code']]).toEqual([scheme, TOKEN])
      expect(response.headers.get('www-authenticate')).toMatch(/^DPoP error="invalid_token"/)
    }
    const headers = { authorization: '' }
    const path = `/session?access_token=${device.token}`
    const inQuery = await device.sendOnce(running.service, { method: 'GET', path, headers })
    expect(inQuery.body['code']).toBe(TOKEN)
  })

  it('SEC-D37 critical extensions are rejected, foreign key hints ignored', async () => {
    expect(await present(await craft(device, {}, { crit: ['x'], x: 1 }))).toBe(INVALID)
    const hints = { x5c: ['AA'], jku: 'https://evil.example/jwks', kid: '../x' }
    expect(await present(await craft(device, {}, hints))).toBe('accepted')
  })

  it('SEC-D38 the nonce is on every response', async () => {
    const { service } = running
    const responses = [
      await device.sendOnce(service, { method: 'GET', path: '/session' }),
      await device.sendOnce(service, {
        method: 'GET',
        path: '/session',
        presented: { token: 'x.y.z' },
      }),
      await device.sendOnce(service, { method: 'GET', path: '/idempotency/short' }),
      await device.sendOnce(service, { method: 'GET', path: '/idempotency/0123456789abcdef' }),
      await device.sendOnce(service, {
        method: 'GET',
        path: '/session',
        headers: { accept: 'text/html' },
      }),
      await device.sendOnce(service, { method: 'POST', path: '/auth/sign-out', raw: '{' }),
      await device.sendOnce(service, { method: 'POST', path: '/auth/refresh', json: {} }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 401, 400, 404, 406, 400, 400])
    const nonces = responses.map(({ headers }) => headers.get('dpop-nonce'))
    expect(nonces.every((nonce) => /^[\w-]{22}$/.test(nonce ?? ''))).toBe(true)
  })

  it('SEC-D39 the body is bound by the idempotency key, which the proof does not cover', async () => {
    const { platform, service } = running
    platform.overrides.set('factors', () => ({ status: 200, body: { factors: ['totp'] } }))
    platform.overrides.set('createMfaChallenge', () => ({
      status: 201,
      body: {
        challengeId: 'chl_01M7HC6TA9YD0Z4PH0ZZ09GYJ9',
        challenge: 'A'.repeat(43),
        expiresAt: '2026-04-23T09:14:22.000Z',
      },
    }))
    const send = (resourceId: string) =>
      device.send(service, {
        method: 'POST',
        path: '/auth/mfa/challenges',
        key: 'proofs-do-not-sign-bodies',
        json: { action: 'lock.revoke', resourceKind: 'reservation', resourceId },
      })
    expect((await send('rsv_1')).status).toBe(201)
    expect((await send('rsv_2')).body['code']).toBe('MELMASTOON.IDEMPOTENCY.KEY_REUSED')
    expect((await send('rsv_1')).headers.get('idempotent-replayed')).toBe('true')
  })

  it('SEC-D40 STAFF-AUTH-06 both public addresses; the Host header decides nothing', async () => {
    const { service } = running
    const gateway = 'https://desk.test/api/bff/backoffice/v1'
    for (const baseUrl of [PUBLIC_URL, gateway]) {
      expect((await device.get(service, '/session', { baseUrl })).status).toBe(200)
    }
    const headers = {
      authorization: `DPoP ${device.token}`,
      'x-device-id': device.deviceId,
      host: 'evil.test',
    }
    const forged = await craft(device, { htu: 'https://evil.test/bff/backoffice/v1/session' })
    expect((await sendRaw(service, { ...headers, dpop: forged })).code).toBe(INVALID)
    const atGateway = await craft(device, { htu: `${gateway}/session` })
    const path = `/api${BASE}/session`
    expect((await sendRaw(service, { ...headers, dpop: atGateway }, path)).status).toBe(200)
  })
})
