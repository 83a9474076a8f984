import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { exportJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { PUBLIC_URL } from '../harness/backoffice-environment.ts'
import { BASE, type TestDevice } from '../harness/test-device.ts'

export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export async function athOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(token))
  return Buffer.from(digest).toString('base64url')
}

/** The claims of a correct proof for `GET /session`. */
export async function claimsOf(device: TestDevice, path = '/session'): Promise<JWTPayload> {
  return {
    jti: crypto.randomUUID(),
    htm: 'GET',
    htu: `${PUBLIC_URL}${path}`,
    iat: Math.floor(Date.now() / 1_000),
    nonce: device.nonce,
    ath: await athOf(device.token),
  }
}

/** A proof with changed claims or header, signed by `jose`. */
export async function craft(
  device: TestDevice,
  claims: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const jwk = await exportJWK(device.keys.publicKey)
  const payload = { ...(await claimsOf(device)), ...claims }
  return await new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header } as JWTHeaderParameters)
    .sign(device.keys.privateKey, { crit: { x: true } })
}

export interface RawResponse {
  readonly status: number
  readonly code: unknown
  readonly headers: IncomingMessage['headers']
}

/** `fetch` joins repeated headers and sends its own `Host`. */
export async function sendRaw(
  { url }: { readonly url: string },
  headers: Readonly<Record<string, string | string[]>>,
  path = `${BASE}/session`,
): Promise<RawResponse> {
  const sent = request(new URL(path, url), { headers })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const body = (await json(response)) as { readonly code?: unknown }
  return { status: response.statusCode ?? 0, code: body.code, headers: response.headers }
}
