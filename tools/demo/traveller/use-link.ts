import { newId } from '@melmastoon/domain'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import { readToken } from './read-token.ts'
import type { Say } from './say.ts'

/** What only the hotel's own site has; without it the traveller sees the link and no more. */
export interface HotelDoor {
  readonly internalUrl: string
  readonly serviceSecret: string
  readonly handoffKey: Buffer
}

export interface Link {
  readonly handoffId: string
  readonly tenantId: string
  readonly redirectUrl: string
}

/** At the hotel's door: the link is genuine, is let in once, and never again. */
export async function useLink(link: Link, door: HotelDoor, say: Say): Promise<void> {
  const token = new URL(link.redirectUrl).searchParams.get('h') ?? ''
  const lines = readToken(token, door.handoffKey)
  if (lines === null) throw new Error('the link does not carry a genuine token')
  const [version, , , , , checkIn, checkOut, adults] = lines
  say.detail(`signed ${version}: ${checkIn} to ${checkOut}, ${adults} adults, ${lines[11]}`)
  say.detail(`first arrival:  ${await consume(link, door)}`)
  say.detail(`second arrival: ${await consume(link, door)}`)
}

async function consume({ handoffId, tenantId }: Link, door: HotelDoor): Promise<string> {
  const url = new URL(`/internal/handoff/${handoffId}/consume`, door.internalUrl)
  const auth = sharedSecretAuth('bff-tenant-booking-service', door.serviceSecret)
  const body = { tenantId, arrivalId: newId('bha'), consumedByBffInstance: 'demo' }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...auth.headers() },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { code?: string }
  return `${response.status} ${answer.code ?? 'let in'}`
}
