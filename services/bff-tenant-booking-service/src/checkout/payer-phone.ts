import { fieldError, problem } from '@melmastoon/domain'
import type { Draft } from '../drafts/draft.ts'
import { normalizePhone } from '../guests/guest-phone.ts'
import { type GuestDataDeps, openGuest } from '../guests/sealed-guest.ts'

export interface GivenPhone {
  readonly phone?: string | undefined
  readonly region?: string | undefined
}

/** In E.164: the given number, else that of the guest. */
export function payerPhone(deps: GuestDataDeps, draft: Draft, given: GivenPhone): string {
  const { tenantId, id: draftId, guest } = draft
  if (guest === null) throw problem('MELMASTOON.BFF.TENANT.DETAILS_REQUIRED')
  const details = openGuest(deps, { tenantId, draftId }, guest)
  if (given.phone === undefined) {
    if (details.phone !== undefined) return details.phone
    throw invalidPhone('required')
  }
  const normalized = normalizePhone(given.phone, given.region ?? 'AF')
  if ('error' in normalized) throw invalidPhone(normalized.error)
  return normalized.value
}

function invalidPhone(code: string) {
  const detail = 'A phone number that can pay by mobile money is required'
  const errors = [fieldError('/phone', code, detail)]
  return problem('MELMASTOON.BFF.TENANT.DETAILS_INVALID', { errors })
}
