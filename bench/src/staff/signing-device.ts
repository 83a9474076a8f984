import { generateKeyPairSync, hash, type KeyObject, randomUUID, sign } from 'node:crypto'
import { DEMO_STAFF } from '@melmastoon/upstream-contracts/iam/demo-staff'

/** The address of the back office in every proof, wherever an instance listens. */
export const PUBLIC_URL = 'https://backoffice.bench/bff/backoffice/v1'

export interface Account {
  readonly tenantSlug: string
  readonly username: string
}

interface Tokens {
  readonly accessToken: string
  readonly tenantId: string
  readonly operatorId: string
  readonly deviceId: string
}

const CHALLENGED = 401

/**
 * A device of staff that signs a proof for every request (RFC 9449). The signature is synchronous
 * and its key imported once, so that a load generator spends little CPU on it.
 */
export class SigningDevice {
  readonly account: Account
  readonly #privateKey: KeyObject
  readonly #publicJwk: object
  readonly #head: string
  #tokens: Tokens | null = null
  #tokenHash = ''
  #nonce: string | undefined

  private constructor(account: Account) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.account = account
    this.#privateKey = privateKey
    this.#publicJwk = publicKey.export({ format: 'jwk' })
    this.#head = encode({ alg: 'ES256', typ: 'dpop+jwt', jwk: this.#publicJwk })
  }

  static async signIn(iamUrl: string, account: Account): Promise<SigningDevice> {
    const device = new SigningDevice(account)
    const url = `${iamUrl}/iam/v1/auth/sign-in`
    const first = await device.#postSignIn(url)
    const isChallenged = first.status === CHALLENGED && device.#nonce !== undefined
    const response = isChallenged ? await device.#postSignIn(url) : first
    if (!response.ok) throw new Error(`sign-in: ${response.status} ${await response.text()}`)
    const tokens = (await response.json()) as Tokens
    device.#tokens = tokens
    device.#tokenHash = hash('sha256', tokens.accessToken, 'base64url')
    // The nonce of iam is not one of the back office.
    device.#nonce = undefined
    return device
  }

  get tokens(): Tokens {
    if (this.#tokens === null) throw new TypeError('not signed in')
    return this.#tokens
  }

  /** What authenticates one request. */
  headers(method: string, path: string): Record<string, string> {
    const { accessToken, deviceId } = this.tokens
    const [route = ''] = path.split('?')
    return {
      authorization: `DPoP ${accessToken}`,
      dpop: this.#proof(method, `${PUBLIC_URL}${route}`),
      'x-device-id': deviceId,
    }
  }

  /** The nonce of a response belongs into the next proof. */
  keepNonce(nonce: string | string[] | null | undefined): void {
    if (typeof nonce === 'string') this.#nonce = nonce
  }

  #proof(htm: string, htu: string): string {
    const iat = Math.floor(Date.now() / 1_000)
    const claims = { jti: randomUUID(), htm, htu, iat, nonce: this.#nonce }
    const bound = this.#tokenHash === '' ? claims : { ...claims, ath: this.#tokenHash }
    const text = `${this.#head}.${encode(bound)}`
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' } as const
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
  }

  async #postSignIn(url: string): Promise<Response> {
    const device = {
      name: 'Benchmark',
      platform: 'linux',
      appVersion: '1.0.0',
      publicJwk: this.#publicJwk,
    }
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', dpop: this.#proof('POST', url) },
      body: JSON.stringify({ ...this.account, password: DEMO_STAFF.password, device }),
    })
    this.keepNonce(response.headers.get('dpop-nonce'))
    return response
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
