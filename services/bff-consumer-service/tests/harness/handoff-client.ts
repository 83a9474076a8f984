import {
  type HandoffArrivalId,
  isProblem,
  newId,
  type PropertyId,
  type TenantId,
} from '@melmastoon/domain'
import { KeyRing, verifyHandoff } from '@melmastoon/security'
import { eventually } from '@melmastoon/testkit'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import {
  cookieOf,
  dayFromNow,
  post,
  SERVICE_SECRET,
  sessionIdOf,
  type TestResponse,
} from './start-consumer.ts'

export const secretOf = (fill: string) => Buffer.alloc(32, fill).toString('base64url')

/** The key of `start-consumer.ts`. */
export const RING = KeyRing.parse(`hmac-2026-04:active:${secretOf('handoff')}`)

export interface Target {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

export function stayRequest(over: Record<string, unknown> = {}) {
  return {
    dates: { checkIn: dayFromNow(7), checkOut: dayFromNow(9) },
    occupancy: { adults: 2, children: 1, rooms: 1, childrenAges: [4] },
    ...over,
  }
}

export const tokenOf = ({ body }: TestResponse) => String(body['redirectUrl']).split('?h=')[1] ?? ''
export const idOf = ({ body }: TestResponse) => String(body['handoffId'])

const AWAY = 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'

/** On a busy machine a process may respond before it is connected to Postgres and Redis. */
function untilReady(send: () => Promise<TestResponse>): Promise<TestResponse> {
  return eventually(async () => {
    const response = await send()
    if (response.body['code'] === AWAY) throw new Error('not ready')
    return response
  })
}

export async function startSession(url: string, headers: Record<string, string> = {}) {
  const started = await untilReady(() => post(url, '/session', { headers }))
  const cookie = cookieOf(started)
  return { cookie, id: sessionIdOf(cookie) }
}

export interface MintOptions {
  readonly key?: string
  readonly json?: unknown
  readonly headers?: Record<string, string>
}

export function mint(url: string, cookie: string, target: Target, options: MintOptions = {}) {
  const { key = newId('req'), json = stayRequest(), headers = {} } = options
  const sent = { cookie, 'idempotency-key': key, ...headers }
  const path = `/handoff/${target.tenantId}/${target.propertyId}`
  return untilReady(() => post(url, path, { json, headers: sent }))
}

let guests = 0

/** A unique browser: replays of a link raise the bot score of the browser's fingerprint as well. */
function newBrowser(): Record<string, string> {
  guests += 1
  const version = `${100 + guests}.0`
  const agent = `Mozilla/5.0 (X11; Linux x86_64; rv:${version}) Gecko/20100101 Firefox/${version}`
  return { 'user-agent': agent, 'accept-language': 'en' }
}

/** A link of a new guest; retries, because upstreams may time out on a busy machine. */
export async function mintForNewGuest(
  url: string,
  target: Target,
  more: Record<string, string> = {},
) {
  const headers = { ...newBrowser(), ...more }
  const key = newId('req')
  const guest = await startSession(url, headers)
  const response = await eventually(async () => {
    const minted = await mint(url, guest.cookie, target, { key, headers })
    if (minted.status !== 201) throw new Error(minted.text)
    return minted
  })
  return { guest, response, token: tokenOf(response), handoffId: idOf(response) }
}

export interface ConsumeResponse {
  readonly status: number
  readonly code: string | undefined
  readonly body: Record<string, unknown>
}

export interface PresentOptions {
  readonly arrivalId?: HandoffArrivalId
  readonly now?: Date
  readonly ring?: KeyRing
}

/** The booking service: verifies the signature locally, then calls the consume route. */
export function bookingService(internalUrl: string) {
  const consume = (handoffId: string, json: unknown, headers = credentials()) =>
    send(`${internalUrl}/internal/handoff/${handoffId}/consume`, json, headers)
  return {
    consume,
    async present(token: string, tenantId: TenantId, options: PresentOptions = {}) {
      const { arrivalId = newId('bha'), now = new Date(), ring = RING } = options
      try {
        const { id } = verifyHandoff(token, ring, { now, tenantId })
        return await consume(id, { tenantId, arrivalId, consumedByBffInstance: 'booking-1' })
      } catch (error) {
        if (!isProblem(error)) throw error
        return { status: error.status, code: error.code, body: {} }
      }
    },
  }
}

export function credentials(service = 'bff-tenant-booking-service', secret = SERVICE_SECRET) {
  return sharedSecretAuth(service, secret).headers()
}

async function send(
  url: string,
  json: unknown,
  headers: Record<string, string>,
): Promise<ConsumeResponse> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(json),
    headers: { 'content-type': 'application/json', ...headers },
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, code: body['code'] as string | undefined, body }
}
