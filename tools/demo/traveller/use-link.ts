import { createHmac, timingSafeEqual } from 'node:crypto'
import { newId } from '@melmastoon/domain'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import type { Say } from '../shared/say.ts'

const MAC_CHARS = 43

/** The configuration of the booking service of the hotel's site. */
export interface BookingSite {
  readonly internalUrl: string
  readonly serviceSecret: string
  readonly handoffKey: Buffer
}

export interface Link {
  readonly handoffId: string
  readonly tenantId: string
  readonly redirectUrl: string
}

/** The token is valid and can be consumed once; the second attempt is rejected. */
export async function useLink(link: Link, site: BookingSite, say: Say): Promise<void> {
  const token = new URL(link.redirectUrl).searchParams.get('h') ?? ''
  const lines = readToken(token, site.handoffKey)
  if (lines === null) throw new Error('the link has no valid token')
  const [version, , , , , checkIn, checkOut, adults] = lines
  say.detail(`signed ${version}: ${checkIn} to ${checkOut}, ${adults} adults, ${lines[11]}`)
  say.detail(`first use:  ${await consume(link, site)}`)
  say.detail(`second use: ${await consume(link, site)}`)
}

async function consume({ handoffId, tenantId }: Link, site: BookingSite): Promise<string> {
  const url = new URL(`/internal/handoff/${handoffId}/consume`, site.internalUrl)
  const auth = sharedSecretAuth('bff-tenant-booking-service', site.serviceSecret)
  const body = { tenantId, arrivalId: newId('bha'), consumedByBffInstance: 'demo' }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...auth.headers() },
    body: JSON.stringify(body),
  })
  const result = (await response.json()) as { code?: string }
  return `${response.status} ${result.code ?? 'accepted'}`
}

/**
 * Written from docs/handoff-token.md without our own verifier, to show that the document suffices.
 * Null if the signature is invalid.
 */
function readToken(token: string, key: Buffer): string[] | null {
  const payload = Buffer.from(token.slice(0, -MAC_CHARS - 1), 'base64url')
  const mac = Buffer.from(token.slice(-MAC_CHARS), 'base64url')
  const expected = createHmac('sha256', key).update(payload).digest()
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return null
  return payload.toString('ascii').split('\n')
}
