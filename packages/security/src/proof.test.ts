import { createHmac, createSecretKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Problem } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROOF_REPLAY_TTL_MS, type ProofRequest, verifyProof } from './proof.ts'
import { ProofKeyCache } from './proof-key-cache.ts'
import { PROOF_NONCE_STEP_MS, proofNonces, replayKey } from './proof-replay.ts'

/** The device side uses WebCrypto only, so that the two sides share no code. */
const { subtle } = globalThis.crypto
type Json = Record<string, unknown>

const P256 = { name: 'ECDSA', namedCurve: 'P-256' }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function newDevice() {
  const pair = await subtle.generateKey(P256, true, ['sign', 'verify'])
  const { kty, crv, x, y } = await subtle.exportKey('jwk', pair.publicKey)
  const jwk = { kty, crv, x, y }
  const canonical = JSON.stringify({ crv, kty, x, y })
  const digest = await subtle.digest('SHA-256', Buffer.from(canonical))
  return { pair, jwk, jkt: Buffer.from(digest).toString('base64url') }
}
type Device = Awaited<ReturnType<typeof newDevice>>

const device = await newDevice()
const stranger = await newDevice()
const now = new Date('2026-04-23T09:14:22.000Z')
const iat = now.getTime() / 1000
const url = 'https://desk.example.com/bff/backoffice/v1/dashboard'
const token = 'access-token-1'
const ath = Buffer.from(await subtle.digest('SHA-256', Buffer.from(token))).toString('base64url')
const goodClaims = { jti: 'jti-1', htm: 'GET', htu: url, iat, ath }

async function signProof(header: Json, claims: Json, signer: Device = device): Promise<string> {
  const input = `${encode(header)}.${encode(claims)}`
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await subtle.sign(algorithm, signer.pair.privateKey, Buffer.from(input))
  return `${input}.${Buffer.from(signature).toString('base64url')}`
}

const headerOf = (change: Json = {}): Json => ({
  typ: 'dpop+jwt',
  alg: 'ES256',
  jwk: device.jwk,
  ...change,
})
const makeProof = (claims: Json = {}, header: Json = {}) =>
  signProof(headerOf(header), { ...goodClaims, ...claims })

function check(header: ProofRequest['header'], change: Partial<ProofRequest> = {}): string {
  try {
    verifyProof({
      header,
      method: 'GET',
      url,
      accessToken: token,
      expectedJkt: device.jkt,
      now,
      keys: new ProofKeyCache(4),
      ...change,
    })
  } catch (error) {
    return (error as Problem).code ?? String(error)
  }
  return 'accepted'
}

const INVALID = 'MELMASTOON.SECURITY.DPOP_PROOF_INVALID'
const NONCE = 'MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED'
const good = await makeProof()

describe('RFC 9449 §4.3, check by check', () => {
  it('SEC-D01 exactly one header', () => {
    expect(check(good)).toBe('accepted')
    expect(check([good])).toBe('accepted')
    for (const header of [undefined, [], [good, good], '', `${good}, ${good}`, `${good},${good}`]) {
      expect(check(header)).toBe(INVALID)
    }
  })

  it('SEC-D02 a single well-formed JWT', async () => {
    const [header = '', claims = '', signature = ''] = good.split('.')
    const forms = [
      'x',
      'a.b',
      `${header}.${claims}`,
      `${header}.${claims}.`,
      `.${claims}.${signature}`,
      `${header}..${signature}`,
      `${good}.x`,
      `${good}=`,
      ` ${good}`,
      `${good}\n`,
      `${header}=.${claims}.${signature}`,
      `${encode([1])}.${claims}.${signature}`,
      `${encode(null)}.${claims}.${signature}`,
      `${header}.${encode('x')}.${signature}`,
      `${Buffer.from('{').toString('base64url')}.${claims}.${signature}`,
    ]
    for (const form of forms) expect([form, check(form)]).toEqual([form, INVALID])
    expect(check(await makeProof({ extra: 'x'.repeat(2000) }))).toBe('accepted')
    expect(check(await makeProof({ extra: 'x'.repeat(8192) }))).toBe(INVALID)
  })

  it('SEC-D03 all required claims', async () => {
    for (const name of Object.keys(goodClaims)) {
      expect([name, check(await makeProof({ [name]: undefined }))]).toEqual([name, INVALID])
      expect([name, check(await makeProof({ [name]: null }))]).toEqual([name, INVALID])
      expect([name, check(await makeProof({ [name]: [goodClaims] }))]).toEqual([name, INVALID])
    }
    for (const jti of ['', 'x'.repeat(257), 7])
      expect(check(await makeProof({ jti }))).toBe(INVALID)
    expect(check(await makeProof({ jti: 'x'.repeat(256) }))).toBe('accepted')
    expect(check(await makeProof({ iat: String(iat) }))).toBe(INVALID)
  })

  it('SEC-D04 typ is dpop+jwt', async () => {
    for (const typ of [
      undefined,
      'JWT',
      'jwt',
      'DPOP+JWT',
      'application/dpop+jwt',
      ['dpop+jwt'],
      '',
    ]) {
      expect(check(await makeProof({}, { typ }))).toBe(INVALID)
    }
  })

  it('SEC-D05 alg is asymmetric and allow-listed', async () => {
    const algs = [undefined, 'none', 'None', 'HS256', 'ES384', 'es256', 'RS256', 'EdDSA', 'PS256']
    for (const alg of [...algs, '__proto__', 'toString', ['ES256']]) {
      expect(check(await makeProof({}, { alg }))).toBe(INVALID)
    }
    const unsigned = `${encode(headerOf({ alg: 'none' }))}.${encode(goodClaims)}`
    expect(check(`${unsigned}.`)).toBe(INVALID)
    const input = `${encode(headerOf({ alg: 'HS256' }))}.${encode(goodClaims)}`
    const mac = createHmac('sha256', JSON.stringify(device.jwk)).update(input).digest('base64url')
    expect(check(`${input}.${mac}`)).toBe(INVALID)
  })

  it('SEC-D06 the signature verifies with the key in the header', async () => {
    const [header = '', claims = '', signature = ''] = good.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const zero = Buffer.alloc(64).toString('base64url')
    const wrong = [
      zero,
      bytes.subarray(1).toString('base64url'),
      Buffer.concat([bytes, bytes]).toString('base64url'),
    ]
    for (const text of wrong) expect(check(`${header}.${claims}.${text}`)).toBe(INVALID)
    const other = encode({ ...goodClaims, jti: 'jti-2' })
    expect(check(`${header}.${other}.${signature}`)).toBe(INVALID)
    expect(check(await signProof(headerOf(), goodClaims, stranger))).toBe(INVALID)
    const offCurve = { ...device.jwk, y: device.jwk.x }
    expect(
      check(await makeProof({}, { jwk: offCurve }), {
        accessToken: undefined,
        expectedJkt: undefined,
      }),
    ).toBe(INVALID)
  })

  it('SEC-D07 the key has no private part', async () => {
    for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']) {
      expect(check(await makeProof({}, { jwk: { ...device.jwk, [name]: 'AA' } }))).toBe(INVALID)
    }
    for (const jwk of [
      undefined,
      null,
      'x',
      [],
      {},
      { kty: 'oct', k: 'AA' },
      { ...device.jwk, crv: 'P-384' },
    ]) {
      expect(check(await makeProof({}, { jwk }))).toBe(INVALID)
    }
    const described = { ...device.jwk, kid: 'a', use: 'sig', alg: 'ES256' }
    expect(check(await makeProof({}, { jwk: described }))).toBe('accepted')
  })

  it('SEC-D08 htm equals the method', async () => {
    expect(check(await makeProof({ htm: 'POST' }), { method: 'POST' })).toBe('accepted')
    for (const htm of ['get', 'POST', 'GET ', '', 'HEAD'])
      expect(check(await makeProof({ htm }))).toBe(INVALID)
    expect(check(good, { method: 'POST' })).toBe(INVALID)
  })

  it.each([
    ['https://desk.example.com/bff/backoffice/v1/dashboard', 'accepted'],
    ['https://desk.example.com:443/bff/backoffice/v1/dashboard', 'accepted'],
    ['HTTPS://DESK.Example.COM/bff/backoffice/v1/dashboard', 'accepted'],
    ['https://desk.example.com/bff/backoffice/v1/%64ashboard', 'accepted'],
    ['https://desk.example.com/bff/x/../backoffice/v1/dashboard', 'accepted'],
    ['https://desk.example.com/bff/backoffice/v1/dashboard/', INVALID],
    ['https://desk.example.com/bff/backoffice/v1/Dashboard', INVALID],
    ['https://desk.example.com/bff/backoffice/v1', INVALID],
    ['https://desk.example.com/bff/backoffice/v1/dashboard?', INVALID],
    ['https://desk.example.com/bff/backoffice/v1/dashboard?a=1', INVALID],
    ['https://desk.example.com/bff/backoffice/v1/dashboard#f', INVALID],
    ['https://desk.example.com/bff%2Fbackoffice/v1/dashboard', INVALID],
    ['https://desk.example.com:8443/bff/backoffice/v1/dashboard', INVALID],
    ['http://desk.example.com/bff/backoffice/v1/dashboard', INVALID],
    ['https://evil.example.com/bff/backoffice/v1/dashboard', INVALID],
    ['https://desk.example.com.evil/bff/backoffice/v1/dashboard', INVALID],
    ['https://user@desk.example.com/bff/backoffice/v1/dashboard', INVALID],
    ['https://desk.example.com\\bff\\backoffice\\v1\\dashboard', INVALID],
    ['https://desk.example.com/bff/backoffice/v1/dash\nboard', INVALID],
    [' https://desk.example.com/bff/backoffice/v1/dashboard', INVALID],
    ['/bff/backoffice/v1/dashboard', INVALID],
    ['https://[/bff', INVALID],
    ['', INVALID],
  ])('SEC-D09 htu %j is %s', async (htu, expected) => {
    expect(check(await makeProof({ htu }))).toBe(expected)
  })

  it('SEC-D09 the query of the request does not count, its escapes are normalised', async () => {
    expect(check(good, { url: `${url}?cursor=1#x` })).toBe('accepted')
    const tilde = await makeProof({ htu: 'https://desk.example.com/%7eme/%2f' })
    expect(check(tilde, { url: 'https://desk.example.com/~me/%2F' })).toBe('accepted')
    expect(check(tilde, { url: 'https://desk.example.com/~me//' })).toBe(INVALID)
    expect(() => verifyProof({ header: good, method: 'GET', url: '/x', now })).toThrow(TypeError)
  })

  it('SEC-D09 one of several addresses of the service', async () => {
    const addresses = ['https://api.example.com/bff/backoffice/v1/dashboard', url]
    expect(check(good, { url: addresses })).toBe('accepted')
    const atGateway = await makeProof({
      htu: 'https://API.example.com/bff/backoffice/v1/dashboard',
    })
    expect(check(atGateway, { url: addresses })).toBe('accepted')
    expect(check(good, { url: addresses.slice(0, 1) })).toBe(INVALID)
    expect(check(good, { url: [] })).toBe(INVALID)
    const mixed = await makeProof({ htu: 'https://api.example.com/dashboard' })
    expect(check(mixed, { url: addresses })).toBe(INVALID)
  })

  it('SEC-D10 the nonce is one that the server issued', async () => {
    const nonce = ['current', 'previous']
    expect(check(await makeProof({ nonce: 'current' }), { nonce })).toBe('accepted')
    expect(check(await makeProof({ nonce: 'previous' }), { nonce })).toBe('accepted')
    expect(check(await makeProof({ nonce: 'current' }), { nonce: 'current' })).toBe('accepted')
    for (const bad of [undefined, '', 'older', 'curren', 'current ', 7, ['current']]) {
      expect(check(await makeProof({ nonce: bad }), { nonce })).toBe(NONCE)
    }
    expect(check(await makeProof({ nonce: 'x' }), { nonce: [] })).toBe(NONCE)
    expect(check(await makeProof({ nonce: 'unasked' }))).toBe('accepted')
  })

  it.each([
    [0, 'accepted'],
    [-120, 'accepted'],
    [-121, INVALID],
    [-120.5, INVALID],
    [5, 'accepted'],
    [6, INVALID],
    [600, INVALID],
    [-600, INVALID],
    [-iat, INVALID],
    [1e300, INVALID],
  ])('SEC-D11 issued %d s from now is %s', async (offset, expected) => {
    expect(check(await makeProof({ iat: iat + offset }))).toBe(expected)
  })

  it.each([-600, 600])(
    'SEC-D11 a clock off by %d s recovers through the nonce in one retry',
    async (offset) => {
      const claims = { iat: iat + offset }
      expect(check(await makeProof(claims), { nonce: 'n1' })).toBe(NONCE)
      expect(check(await makeProof({ ...claims, nonce: 'n1' }), { nonce: 'n1' })).toBe('accepted')
    },
  )

  it('SEC-D12 the token and its key', async () => {
    expect(check(good, { accessToken: 'access-token-2' })).toBe(INVALID)
    expect(check(await makeProof({ ath: `${ath}=` }))).toBe(INVALID)
    expect(check(await makeProof({ ath: ath.toLowerCase() }))).toBe(INVALID)
    expect(check(good, { expectedJkt: stranger.jkt })).toBe(INVALID)
    expect(check(good, { expectedJkt: '' })).toBe(INVALID)
    expect(check(good, { expectedJkt: undefined })).toBe(INVALID)
    const byStranger = await signProof(headerOf({ jwk: stranger.jwk }), goodClaims, stranger)
    expect(check(byStranger)).toBe(INVALID)
    const bare = await makeProof({ ath: undefined })
    expect(check(bare, { accessToken: undefined })).toBe('accepted')
    expect(check(bare, { accessToken: undefined, expectedJkt: undefined })).toBe('accepted')
  })
})

describe('beyond the twelve checks', () => {
  it('SEC-D13 returns the key and the target of the proof', () => {
    expect(verifyProof({ header: good, method: 'GET', url: `${url}?x=1`, now })).toEqual({
      jkt: device.jkt,
      jti: 'jti-1',
      iat,
      htu: url,
    })
  })

  it('SEC-D14 critical extensions are rejected, foreign key hints ignored', async () => {
    for (const crit of [['x'], [], 'b64'])
      expect(check(await makeProof({}, { crit }))).toBe(INVALID)
    const hints = {
      x5c: ['AA'],
      jku: 'https://evil.example',
      x5u: 'https://evil.example',
      kid: '../x',
    }
    expect(check(await makeProof({}, hints))).toBe('accepted')
  })

  it('SEC-D15 Ed25519 and RSA keys', () => {
    const free = { accessToken: undefined, expectedJkt: undefined }
    const ed = generateKeyPairSync('ed25519')
    expect(check(signWithNode('EdDSA', ed, null), free)).toBe('accepted')
    expect(check(signWithNode('Ed25519', ed, null), free)).toBe('accepted')
    expect(check(signWithNode('ES256', ed, null), free)).toBe(INVALID)
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    expect(check(signWithNode('RS256', rsa, 'sha256'), free)).toBe('accepted')
    expect(check(signWithNode('RS256', rsa, 'sha512'), free)).toBe(INVALID)
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    expect(check(signWithNode('RS256', weak, 'sha256'), free)).toBe(INVALID)
    const exotic = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })
    expect(check(signWithNode('RS256', exotic, 'sha256'), free)).toBe(INVALID)
  })

  it('SEC-D16 never accepts a mutated proof', () => {
    const place = fc.nat({ max: good.length - 1 })
    fc.assert(
      fc.property(place, fc.string({ unit: 'grapheme-ascii', maxLength: 2 }), (at, insert) => {
        const mutated = good.slice(0, at) + insert + good.slice(at + 1)
        expect(check(mutated)).toBe(mutated === good ? 'accepted' : INVALID)
      }),
      { numRuns: 300 },
    )
  })

  it('SEC-D17 many devices, including signatures whose numbers start with zeros', async () => {
    for (let index = 0; index < 300; index += 1) {
      expect(check(await makeProof({ jti: `jti-${index}` }))).toBe('accepted')
    }
  })

  it('SEC-D18 a key is cached only after a valid signature, for its own thumbprint', async () => {
    const keys = new ProofKeyCache(2)
    const [header = '', claims = ''] = good.split('.')
    expect(
      check(`${header}.${claims}.${Buffer.alloc(64, 1).toString('base64url')}`, { keys }),
    ).toBe(INVALID)
    expect(keys.size).toBe(0)
    expect(check(good, { keys })).toBe('accepted')
    expect(check(good, { keys })).toBe('accepted')
    expect(keys.size).toBe(1)
    expect(check(await signProof(headerOf(), goodClaims, stranger), { keys })).toBe(INVALID)
  })

  it('SEC-D18 the cache is bounded and drops the least recently used', async () => {
    const keys = new ProofKeyCache(2)
    const devices = [device, stranger, await newDevice()]
    const [a, b, c] = await Promise.all(
      devices.map((each) => signProof(headerOf({ jwk: each.jwk }), goodClaims, each)),
    )
    const free = { keys, accessToken: undefined, expectedJkt: undefined }
    for (const proof of [a, b, a, c]) expect(check(proof, free)).toBe('accepted')
    expect(keys.size).toBe(2)
    expect(devices.map((each) => keys.get(each.jkt) !== undefined)).toEqual([true, false, true])
  })

  it('SEC-D19 replay keys separate keys, targets and ids', () => {
    const proof = { jkt: 'k', htu: 'u', jti: 'j' }
    const variants = [
      proof,
      { ...proof, jkt: 'k2' },
      { ...proof, htu: 'u2' },
      { ...proof, jti: 'j2' },
      { jkt: 'ku', htu: '', jti: 'j' },
    ]
    expect(new Set(variants.map(replayKey)).size).toBe(variants.length)
    expect(PROOF_REPLAY_TTL_MS).toBeGreaterThanOrEqual(125_000)
  })

  it('SEC-D20 nonces change each minute and the previous one is still accepted', () => {
    const key = createSecretKey(Buffer.alloc(32, 5))
    const [current] = proofNonces(key, now)
    const later = (steps: number) =>
      proofNonces(key, new Date(now.getTime() + steps * PROOF_NONCE_STEP_MS))
    expect(proofNonces(key, now)).toEqual(proofNonces(key, now))
    expect(later(1)[0]).not.toBe(current)
    expect(later(1)[1]).toBe(current)
    expect(later(2)).not.toContain(current)
    expect(proofNonces(createSecretKey(Buffer.alloc(32, 6)), now)).not.toContain(current)
    expect(current).toMatch(/^[A-Za-z0-9_-]{22}$/)
  })
})

function signWithNode(
  alg: string,
  { publicKey, privateKey }: ReturnType<typeof generateKeyPairSync>,
  digest: string | null,
): string {
  const jwk = publicKey.export({ format: 'jwk' })
  const input = `${encode({ typ: 'dpop+jwt', alg, jwk })}.${encode(goodClaims)}`
  return `${input}.${sign(digest, Buffer.from(input), privateKey).toString('base64url')}`
}
