import {
  type DeviceId,
  type Id,
  newId,
  type OperatorId,
  type TenantId,
  toIsoDateTime,
} from '@melmastoon/domain'
import { type SendOptions, send, type TestResponse } from '@melmastoon/testkit'
import type { Operator } from '@melmastoon/upstream-contracts/tenant'
import * as dpop from 'dpop'
import { calculateJwkThumbprint, exportJWK, type JWTPayload } from 'jose'
import { PUBLIC_URL } from './backoffice-environment.ts'
import type { FakePlatform } from './fake-platform.ts'

export const BASE = '/bff/backoffice/v1'

/** What one request presents; the default is what a correct device sends. */
export interface Presented {
  readonly token?: string
  readonly proof?: string
  readonly nonce?: string | undefined
  readonly scheme?: string
  readonly deviceId?: string
  readonly htu?: string
  readonly baseUrl?: string
}

export interface DeviceRequest extends SendOptions {
  readonly method: string
  readonly path: string
  readonly presented?: Presented
}

/**
 * A device of staff. Keys and proofs are made by the libraries `dpop` and `jose`, which share no
 * code with the service.
 */
export class TestDevice {
  readonly keys: dpop.KeyPair
  readonly jkt: string
  readonly deviceId: DeviceId = newId('dev')
  readonly sessionId: Id<'bos'> = newId('bos')
  readonly tenantId: TenantId
  readonly operatorId: OperatorId
  token = ''
  nonce: string | undefined
  /** How often a request was repeated because of the nonce. */
  challenges = 0

  private constructor(
    keys: dpop.KeyPair,
    jkt: string,
    { tenantId, operatorId }: { readonly tenantId: TenantId; readonly operatorId: OperatorId },
  ) {
    this.keys = keys
    this.jkt = jkt
    this.tenantId = tenantId
    this.operatorId = operatorId
  }

  static async signIn(
    platform: FakePlatform,
    operator: Operator,
    tenantId = newId('tnt'),
    algorithm: dpop.JWSAlgorithm = 'ES256',
  ): Promise<TestDevice> {
    const keys = await dpop.generateKeyPair(algorithm, { extractable: true })
    const jkt = await calculateJwkThumbprint(await exportJWK(keys.publicKey))
    const operatorId = operator.operatorId as OperatorId
    const device = new TestDevice(keys, jkt, { tenantId, operatorId })
    const { deviceId, sessionId } = device
    platform.sessions.set(sessionId, {
      sessionId,
      tenantId,
      operatorId,
      deviceId,
      jkt,
      familyExpiresAt: toIsoDateTime(new Date(Date.now() + 86_400_000)),
      status: 'active',
    })
    device.token = await platform.token(device.claims(operator))
    return device
  }

  claims({ roles, properties }: Pick<Operator, 'roles' | 'properties'>): JWTPayload {
    return {
      sub: this.operatorId,
      tenant: this.tenantId,
      did: this.deviceId,
      sid: this.sessionId,
      cnf: { jkt: this.jkt },
      roles,
      props: properties === '*' ? ['*'] : properties,
      amr: ['pwd'],
    }
  }

  timesAt(nowMs: number): JWTPayload {
    const iat = Math.floor(nowMs / 1_000)
    return { iat, exp: iat + 900 }
  }

  /** A new access token, for a service whose clock a test has moved. */
  async renewAt(platform: FakePlatform, nowMs: number): Promise<void> {
    const operator = platform.operators.get(this.operatorId)
    if (operator === undefined) throw new TypeError('the operator is unknown')
    this.token = await platform.token({ ...this.claims(operator), ...this.timesAt(nowMs) })
  }

  async proof(method: string, path: string, presented: Presented = {}): Promise<string> {
    const { token = this.token } = presented
    const nonce = 'nonce' in presented ? presented.nonce : this.nonce
    const htu = presented.htu ?? `${presented.baseUrl ?? PUBLIC_URL}${path.split('?')[0]}`
    return await dpop.generateProof(this.keys, htu, method, nonce, token)
  }

  /** One request as it is; the nonce of the response is kept. */
  async sendOnce(
    service: { readonly url: string },
    { method, path, presented = {}, ...options }: DeviceRequest,
  ): Promise<TestResponse> {
    const proof = presented.proof ?? (await this.proof(method, path, presented))
    const { scheme = 'DPoP', token = this.token, deviceId = this.deviceId } = presented
    const response = await send(service.url, method, `${BASE}${path}`, {
      ...options,
      headers: {
        authorization: `${scheme} ${token}`,
        dpop: proof,
        'x-device-id': deviceId,
        ...options.headers,
      },
    })
    this.nonce = response.headers.get('dpop-nonce') ?? this.nonce
    return response
  }

  /** As a client does: once more when the nonce was missing or old. */
  async send(service: { readonly url: string }, request: DeviceRequest): Promise<TestResponse> {
    const first = await this.sendOnce(service, request)
    const challenge = first.headers.get('www-authenticate') ?? ''
    if (first.status !== 401 || !challenge.includes('use_dpop_nonce')) return first
    this.challenges += 1
    return await this.sendOnce(service, request)
  }

  get(service: { readonly url: string }, path: string, presented: Presented = {}) {
    return this.send(service, { method: 'GET', path, presented })
  }
}
