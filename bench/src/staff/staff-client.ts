import { randomUUID } from 'node:crypto'
import type { Dispatcher } from 'undici'
import type { SigningDevice } from './signing-device.ts'

export const BASE = '/bff/backoffice/v1'

export interface StaffRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly json?: unknown
  readonly accept?: string
}

export interface StaffReply {
  readonly status: number
  readonly body: Buffer
  /** The request was sent twice, because the first proof had an old nonce. */
  readonly isRepeated: boolean
}

const CHALLENGED = 401

/** As a device sends it: once more when the nonce was missing or old. */
export async function sendAs(
  device: SigningDevice,
  pool: Dispatcher,
  request: StaffRequest,
): Promise<StaffReply> {
  const keyed = { ...request, key: randomUUID() }
  const first = await sendOnce(device, pool, keyed)
  if (!first.isChallenge) return { ...first, isRepeated: false }
  return { ...(await sendOnce(device, pool, keyed)), isRepeated: true }
}

async function sendOnce(
  device: SigningDevice,
  pool: Dispatcher,
  { method, path, json, accept = 'application/json', key }: StaffRequest & { readonly key: string },
) {
  const { statusCode, headers, body } = await pool.request({
    method,
    path: `${BASE}${path}`,
    headers: {
      ...device.headers(method, path),
      accept,
      ...(method !== 'GET' && { 'idempotency-key': key }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    body: json === undefined ? null : JSON.stringify(json),
  })
  device.keepNonce(headers['dpop-nonce'])
  const challenge = String(headers['www-authenticate'] ?? '')
  const isChallenge = statusCode === CHALLENGED && challenge.includes('use_dpop_nonce')
  return { status: statusCode, body: Buffer.from(await body.arrayBuffer()), isChallenge }
}
