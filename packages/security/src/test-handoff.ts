import { createHmac, type KeyObject } from 'node:crypto'
import { newId, type Problem, parseIsoDate } from '@melmastoon/domain'
import type { HandoffFields } from './handoff-lines.ts'
import { mintHandoff, verifyHandoff } from './handoff-token.ts'
import { KeyRing } from './key-ring.ts'

/** A handoff and its forgeries, for tests. */
export const secret = (fill: number) => Buffer.alloc(32, fill).toString('base64url')
export const ring = KeyRing.parse(`hmac-2026-04:active:${secret(1)}`)
export const now = new Date('2026-04-23T09:14:00.000Z')
export const MINUTE_MS = 60_000
export const INVALID = 'MELMASTOON.BFF.CONSUMER.HANDOFF_SIGNATURE_INVALID'
export const EXPIRED = 'MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED'

export const fields: HandoffFields = {
  id: newId('bhd'),
  guestSessionId: newId('gms'),
  tenantId: newId('tnt'),
  propertyId: newId('ppt'),
  checkIn: parseIsoDate('2026-05-20'),
  checkOut: parseIsoDate('2026-05-22'),
  adults: 2,
  children: 2,
  rooms: 1,
  currency: 'AFN',
  locale: 'ps-AF',
  childrenAges: [0, 17],
  campaign: { source: 'google', medium: 'cpc', name: 'spring & summer/2026' },
  offer: {
    roomTypeId: newId('rmt'),
    ratePlanId: newId('rate'),
    digest: `sha256:${'0123456789abcdef'.repeat(4)}`,
    shownPrice: { amountMinor: 1_250_000, currency: 'AFN' },
  },
}
export const audience = { now, tenantId: fields.tenantId }
export const minted = mintHandoff(fields, ring, now)
export const { token } = minted
export const linesOf = (text: string) =>
  Buffer.from(text.split('.')[0] ?? '', 'base64url')
    .toString('latin1')
    .split('\n')
export const lines = linesOf(token)

export function signLines(content: readonly string[], key: KeyObject = ring.active.key): string {
  const bytes = Buffer.from(content.join('\n'))
  const mac = createHmac('sha256', key).update(bytes).digest('base64url')
  return `${bytes.toString('base64url')}.${mac}`
}

export function outcome(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return (error as Problem).code ?? String(error)
  }
  return 'accepted'
}

export const codeOf = (text: string, at: Date = now) =>
  outcome(() => verifyHandoff(text, ring, { ...audience, now: at }))

export function withLine(index: number, text: string): string[] {
  return lines.map((line, position) => (position === index ? text : line))
}

export function catchProblem(action: () => unknown): Problem | null {
  try {
    action()
    return null
  } catch (error) {
    return error as Problem
  }
}

export function rejectionText(text: string): string {
  const thrown = catchProblem(() => verifyHandoff(text, ring, audience))
  if (thrown === null) return 'accepted'
  const { code, detail, errors, cause } = thrown
  return JSON.stringify({ code, detail, errors, cause })
}
