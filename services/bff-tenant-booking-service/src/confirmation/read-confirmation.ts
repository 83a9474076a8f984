import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { Locale } from '@melmastoon/domain'
import { type GuestView, maskedGuestView, ownGuestView } from '../guests/guest-view.ts'
import { type GuestDataDeps, openGuest } from '../guests/sealed-guest.ts'
import { writeCalendar } from './calendar-file.ts'
import type { ConfirmationView } from './confirmation-view.ts'
import { type Claimant, type Proof, type ProofDeps, proveOwnership } from './prove-ownership.ts'
import { readShared, type SharedDeps, sharedOf } from './read-shared.ts'
import type { SharedConfirmation } from './shared-confirmation.ts'
import { type ConfirmationSite, writeConfirmation } from './write-confirmation.ts'

export type ConfirmationDeps = ProofDeps & SharedDeps & GuestDataDeps

export interface ConfirmationRequest extends Claimant, UpstreamCall {
  readonly site: ConfirmationSite
  readonly locale: Locale
}

export interface ReadConfirmation {
  readonly shared: SharedConfirmation
  readonly bytes: Pick<CachedBytes, 'state' | 'ageMs'>
  readonly proof: Proof
}

/**
 * The cached part is the same for everybody; the personal part is read and joined for each request.
 * @throws Problem CONFIRMATION_NOT_FOUND without proof of ownership.
 */
export async function readConfirmation(
  deps: ConfirmationDeps,
  request: ConfirmationRequest,
): Promise<ReadConfirmation & { readonly view: ConfirmationView }> {
  const found = await findConfirmation(deps, request)
  const { proof, bytes, shared } = found
  const { tenantId, reservationId } = proof
  const view = writeConfirmation(deps, shared, {
    ...request.site,
    tenantId,
    reservationId,
    locale: request.locale,
    guest: guestOf(deps, proof),
    isStale: bytes.state === 'stale',
    ageMs: bytes.ageMs,
  })
  return { ...found, view }
}

export interface CalendarFile {
  readonly name: string
  readonly text: string
}

/** @throws Problem CONFIRMATION_NOT_FOUND without proof of ownership. */
export async function readCalendar(
  deps: ConfirmationDeps,
  request: ConfirmationRequest,
): Promise<CalendarFile> {
  const { shared, proof } = await findConfirmation(deps, request)
  const { tenantId, reservationId } = proof
  const { site, locale } = request
  const entry = { ...site, tenantId, reservationId, locale }
  return { name: `${shared.stay.code}.ics`, text: writeCalendar(shared, entry) }
}

async function findConfirmation(
  deps: ConfirmationDeps,
  request: ConfirmationRequest,
): Promise<ReadConfirmation> {
  const proof = await proveOwnership(deps, request)
  const bytes = await readShared(deps, proof, request)
  return { proof, bytes, shared: sharedOf(bytes) }
}

/** A box that cannot be opened, for example after its key was retired, is a missing section. */
function guestOf(deps: ConfirmationDeps, { draft, isOwnSession }: Proof): GuestView | null {
  if (draft === null || draft.guest === null) return null
  try {
    const ref = { tenantId: draft.tenantId, draftId: draft.id }
    const guest = openGuest(deps, ref, draft.guest)
    return isOwnSession ? ownGuestView(guest) : maskedGuestView(guest)
  } catch (error) {
    deps.errors.report('confirmation', error)
    return null
  }
}
