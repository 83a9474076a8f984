import { randomUUID } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { VISITOR } from '../search/queries.ts'

export type Method = 'cash_on_arrival' | 'card'

export interface Stay {
  readonly checkIn: string
  readonly checkOut: string
}

export interface Hotel {
  readonly propertyId: string
  readonly roomTypeId: string
}

/** The steps of a booking, in their order. */
export const STEPS = ['quote', 'hold', 'details', 'pay', 'confirm'] as const
export type Step = (typeof STEPS)[number]

/** What the next step of a booking has to repeat. */
export interface Progress {
  readonly cookie: string
  readonly stay: Stay
  readonly adults: number
  readonly method: Method
  readonly quote?: { readonly quoteId: string; readonly digest: string }
  readonly draft?: { readonly draftId: string; readonly version: number; readonly state: string }
}

const GUEST = {
  fullName: 'Zarghuna Anaa',
  email: 'zarghuna@example.com',
  phone: '+93701234567',
  termsAccepted: true,
}

export interface Target {
  readonly pool: Dispatcher
  /** Before every path. */
  readonly base: string
  readonly hotel: Hotel
}

interface Sent {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: unknown
}

const ATTEMPTS_MAX = 5
const SERVER_ERROR = 500

/**
 * Sends one step. A request that timed out on a busy machine is sent again. @throws Error for every
 * other response but the expected one.
 */
export async function takeStep(target: Target, step: Step, progress: Progress): Promise<Progress> {
  const request = requestOf(target, step, progress)
  let { status, body } = await send(target, request, progress.cookie)
  for (let attempt = 1; status > SERVER_ERROR && attempt < ATTEMPTS_MAX; attempt += 1) {
    ;({ status, body } = await send(target, request, progress.cookie))
  }
  if (status >= 300) throw new Error(`${step}: ${status} ${JSON.stringify(body)}`)
  if (step === 'quote') return { ...progress, quote: body as Progress['quote'] & object }
  const draft = body as Progress['draft'] & object
  const isWrong = step === 'confirm' && draft.state !== 'confirmed'
  if (isWrong) throw new Error(`not confirmed: ${JSON.stringify(body)}`)
  return { ...progress, draft }
}

export function requestOf({ hotel }: Target, step: Step, progress: Progress): Sent {
  const { stay, adults, quote, draft, method } = progress
  const at = `/draft/${draft?.draftId ?? ''}`
  switch (step) {
    case 'quote': {
      const occupancy = { adults, children: 0, rooms: 1 }
      const rooms = [{ roomTypeId: hotel.roomTypeId, quantity: 1 }]
      const body = { propertyId: hotel.propertyId, stay, occupancy, rooms }
      return { method: 'POST', path: '/quote', body }
    }
    case 'hold': {
      const body = { quoteId: quote?.quoteId, digest: quote?.digest }
      return { method: 'POST', path: '/hold', body }
    }
    case 'details':
      return { method: 'PATCH', path: at, body: { version: draft?.version, guest: GUEST } }
    case 'pay':
      return { method: 'POST', path: `${at}/payment-intent`, body: { method } }
    case 'confirm':
      return { method: 'POST', path: `${at}/confirm`, body: {} }
  }
}

/** With a new idempotency key, which the alternatives ignore. */
export async function send(
  { pool, base }: Target,
  { method, path, body }: Sent,
  cookie: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await pool.request({
    method,
    path: `${base}${path}`,
    headers: {
      ...VISITOR,
      cookie,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  })
  return { status: response.statusCode, body: await response.body.json() }
}
