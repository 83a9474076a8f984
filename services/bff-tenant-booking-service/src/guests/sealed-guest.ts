import type { DraftId, TenantId } from '@melmastoon/domain'
import { type KeyRing, openJson, SealedBoxError, sealJson } from '@melmastoon/security'
import { Compile } from 'typebox/compile'
import { GuestDetails } from './guest-details.ts'

export interface GuestDataDeps {
  readonly guestDataKeys: KeyRing
}

/** The draft that the details belong to. */
export interface DraftRef {
  readonly tenantId: TenantId
  readonly draftId: DraftId
}

const isGuestDetails = Compile(GuestDetails)

/** For the `bytea` column of a draft. It opens for the same draft of the same tenant only. */
export function sealGuest(deps: GuestDataDeps, draft: DraftRef, guest: GuestDetails): Buffer {
  return sealJson(deps.guestDataKeys, contextOf(draft), guest)
}

/** @throws SealedBoxError: the box was changed, belongs to another draft, or its key is retired. */
export function openGuest(deps: GuestDataDeps, draft: DraftRef, box: Uint8Array): GuestDetails {
  const guest = openJson(deps.guestDataKeys, contextOf(draft), box)
  if (!isGuestDetails.Check(guest)) throw new SealedBoxError()
  return guest
}

function contextOf({ tenantId, draftId }: DraftRef): string[] {
  return ['guest', tenantId, draftId]
}
