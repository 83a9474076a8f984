import { createHash, createHmac, createPrivateKey, sign } from 'node:crypto'
import { newId } from '@melmastoon/domain'
import type { IssuedTokens } from '@melmastoon/upstream-contracts/iam'
import { DEMO_STAFF } from '@melmastoon/upstream-contracts/iam/demo-staff'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

export interface StaffDeviceOptions {
  /** The origin of iam: the sandbox. */
  readonly iamUrl: string
  /** The back office as it is reached, with the prefix of its routes. */
  readonly baseUrl?: string
  /** The same as the back office is configured to know it: `htu` of proofs. Default: `baseUrl`. */
  readonly externalUrl?: string
  readonly tenantSlug?: string
  /** `desk`, `housekeeper`, `housekeeping-lead`, `technician`, `manager`, `owner` */
  readonly username?: string
  readonly password?: string
  readonly algorithm?: 'ES256' | 'EdDSA'
  /** The clock of the device; it may be wrong. */
  readonly now?: () => Date
}

export interface ProofTarget {
  readonly method: string
  readonly htu: string
  readonly accessToken?: string | undefined
  readonly nonce?: string | undefined
  /** Replaces claims, for proofs that must be rejected. */
  readonly claims?: Readonly<Record<string, unknown>>
}

export interface DeviceRequest {
  readonly method?: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Default for mutations: a new key. */
  readonly idempotencyKey?: string
  readonly accessToken?: string
  readonly signal?: AbortSignal
}

const TOTP_STEP_MS = 30_000

/**
 * A device of staff as an independent implementation: signs its proofs with `jose`, knows nothing
 * of our verifier, and keeps the tokens and the nonces it received.
 */
export interface StaffDevice {
  readonly jkt: string
  readonly publicJwk: JWK
  /** Of the last sign-in or refresh; a test may replace them. */
  tokens: IssuedTokens
  signIn(): Promise<IssuedTokens>
  proof(target: ProofTarget): Promise<string>
  /** A path below the base URL; repeated once when the server requires a nonce. */
  fetch(path: string, request?: DeviceRequest): Promise<Response>
  /** Through the back office. Rejections are returned; new tokens are kept. */
  refresh(): Promise<Response>
  /** A code of the demo secret; one step ahead or behind is accepted too. */
  totp(stepOffset?: number): string
  /** The assertion of a second factor, by the demo authenticator. */
  signChallenge(challenge: string): string
}

export async function createStaffDevice(options: StaffDeviceOptions): Promise<StaffDevice> {
  const { now = () => new Date() } = options
  const prover = await createProver(options.algorithm ?? 'ES256', now)
  const { publicJwk } = prover
  let tokens: IssuedTokens | undefined
  const requireTokens = (): IssuedTokens => {
    if (tokens === undefined) throw new TypeError('the device is not signed in')
    return tokens
  }
  const backOffice = (path: string, request: DeviceRequest) => {
    const { deviceId } = requireTokens()
    return prover.send(...targetOf(options, path), withHeaders(request, deviceId))
  }
  return {
    jkt: await calculateJwkThumbprint(publicJwk),
    publicJwk,
    get tokens() {
      return requireTokens()
    },
    set tokens(given) {
      tokens = given
    },
    async signIn() {
      const url = new URL('/iam/v1/auth/sign-in', options.iamUrl).href
      const json = signInBody(options, publicJwk)
      const response = await prover.send(url, url, { method: 'POST', json })
      if (!response.ok) throw new Error(`sign-in: ${response.status} ${await response.text()}`)
      tokens = (await response.json()) as IssuedTokens
      return tokens
    },
    proof: prover.proof,
    fetch: (path, request = {}) =>
      backOffice(path, { accessToken: requireTokens().accessToken, ...request }),
    async refresh() {
      const { refreshToken } = requireTokens()
      const response = await backOffice('/auth/refresh', { method: 'POST', json: { refreshToken } })
      if (response.ok) {
        const renewed = (await response.clone().json()) as Partial<IssuedTokens>
        tokens = { ...requireTokens(), ...renewed }
      }
      return response
    },
    totp: (stepOffset = 0) => totpCode(Math.floor(now().getTime() / TOTP_STEP_MS) + stepOffset),
    signChallenge(challenge) {
      const key = createPrivateKey({ key: { ...DEMO_STAFF.authenticatorJwk }, format: 'jwk' })
      return sign(null, Buffer.from(challenge), key).toString('base64url')
    },
  }
}

/** A device key, and requests with proofs of it. */
async function createProver(algorithm: 'ES256' | 'EdDSA', now: () => Date) {
  const { publicKey, privateKey } = await generateKeyPair(algorithm)
  const publicJwk = await exportJWK(publicKey)
  const nonces = new Map<string, string>()
  const proof = ({ method, htu, accessToken, nonce, claims }: ProofTarget): Promise<string> =>
    new SignJWT({
      htm: method,
      htu,
      jti: newId('req'),
      iat: Math.floor(now().getTime() / 1_000),
      ...(nonce !== undefined && { nonce }),
      ...(accessToken !== undefined && { ath: hashOf(accessToken) }),
      ...claims,
    })
      .setProtectedHeader({ alg: algorithm, typ: 'dpop+jwt', jwk: publicJwk })
      .sign(privateKey)

  const sendOnce = async (url: string, htu: string, request: DeviceRequest) => {
    const { origin } = new URL(url)
    const { method = 'GET', accessToken } = request
    const nonce = nonces.get(origin)
    const dpop = await proof({ method, htu, accessToken, nonce })
    const response = await fetch(url, toInit(request, dpop))
    const received = response.headers.get('dpop-nonce')
    if (received !== null) nonces.set(origin, received)
    return response
  }

  return {
    publicJwk,
    proof,
    /** Sends once more when the response is a challenge (RFC 9449 §8). */
    async send(url: string, htu: string, request: DeviceRequest): Promise<Response> {
      const response = await sendOnce(url, htu, request)
      if (!isNonceChallenge(response)) return response
      await response.body?.cancel()
      return await sendOnce(url, htu, request)
    },
  }
}

function toInit(request: DeviceRequest, dpop: string): RequestInit {
  const { method = 'GET', json, headers, accessToken, signal } = request
  return {
    method,
    redirect: 'manual',
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(signal !== undefined && { signal }),
    headers: {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(accessToken !== undefined && { authorization: `DPoP ${accessToken}` }),
      dpop,
      ...headers,
    },
  }
}

/** The URL of a route of the back office, and the same as its proofs name it. */
function targetOf(
  { baseUrl, externalUrl = baseUrl }: StaffDeviceOptions,
  path: string,
): [url: string, htu: string] {
  if (baseUrl === undefined || externalUrl === undefined) throw new TypeError('no base URL')
  const { origin, pathname } = new URL(externalUrl + path)
  return [baseUrl + path, origin + pathname]
}

function withHeaders(request: DeviceRequest, deviceId: string): DeviceRequest {
  const { method = 'GET', idempotencyKey = newId('req') } = request
  const headers = {
    'x-device-id': deviceId,
    ...(method !== 'GET' && { 'idempotency-key': idempotencyKey }),
    ...request.headers,
  }
  return { ...request, headers }
}

function signInBody(options: StaffDeviceOptions, publicJwk: JWK) {
  const { tenantSlug = DEMO_STAFF.tenantSlug, username = 'desk' } = options
  const { password = DEMO_STAFF.password } = options
  const device = { name: 'Test device', platform: 'linux', appVersion: '1.0.0', publicJwk }
  return { tenantSlug, username, password, device }
}

function isNonceChallenge({ status, headers }: Response): boolean {
  const challenge = headers.get('www-authenticate') ?? ''
  return status === 401 && challenge.includes('use_dpop_nonce') && headers.has('dpop-nonce')
}

function hashOf(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest('base64url')
}

/** RFC 6238 with the parameters of authenticator applications. */
function totpCode(step: number): string {
  const bits = Array.from(DEMO_STAFF.totpSecret, (character) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  ).join('')
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(message).digest()
  const number = mac.readUInt32BE(mac.readUInt8(19) & 15) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}
