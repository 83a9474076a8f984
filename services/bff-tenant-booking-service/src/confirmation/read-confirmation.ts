import { countSections } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CacheState } from '@melmastoon/chassis/cache'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import type { Locale } from '@melmastoon/domain'
import { type GuestView, maskedGuestView, ownGuestView } from '../guests/guest-view.ts'
import { type GuestDataDeps, openGuest } from '../guests/sealed-guest.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import { writeCalendar } from './calendar-file.ts'
import type { ConfirmationView } from './confirmation-view.ts'
import { type Claimant, type Proof, type ProofDeps, proveOwnership } from './prove-ownership.ts'
import { readShared, type SharedDeps, sharedOf } from './read-shared.ts'
import type { SharedConfirmation } from './shared-confirmation.ts'
import { type ConfirmationSite, writeConfirmation } from './write-confirmation.ts'

export type ConfirmationDeps = ProofDeps &
  SharedDeps &
  GuestDataDeps & {
    readonly measures: { readonly sections: CounterMetric<'section' | 'status'> }
  }

export type ConfirmationRequest = Claimant & UpstreamCall

export interface ConfirmationReader {
  readonly site: ConfirmationSite
  readonly locale: Locale
}

/** A confirmation whose ownership is proved. */
export interface FoundConfirmation {
  readonly proof: Proof
  readonly shared: SharedConfirmation
  readonly cacheState: CacheState
  readonly ageMs: number
}

/**
 * The cached part is the same for everybody; the personal part is read and joined for each request.
 * @throws Problem CONFIRMATION_NOT_FOUND without proof of ownership.
 */
export async function findConfirmation(
  deps: ConfirmationDeps,
  request: ConfirmationRequest,
): Promise<FoundConfirmation> {
  const proof = await proveOwnership(deps, request)
  const bytes = await readShared(deps, proof, request).catch(asBudgetExceeded)
  return { proof, shared: sharedOf(bytes), cacheState: bytes.state, ageMs: bytes.ageMs }
}

/** The details of the guest are in clear text for the session that booked only. */
export function viewConfirmation(
  deps: ConfirmationDeps,
  { proof, shared, cacheState, ageMs }: FoundConfirmation,
  { site, locale }: ConfirmationReader,
): ConfirmationView {
  const { tenantId, reservationId } = proof
  const view = writeConfirmation(deps, shared, {
    ...site,
    tenantId,
    reservationId,
    locale,
    guest: guestOf(deps, proof),
    isStale: cacheState === 'stale',
    ageMs,
  })
  countSections(deps.measures.sections, view.sections)
  return view
}

export interface CalendarFile {
  readonly name: string
  readonly text: string
}

export function calendarOf(
  { proof, shared }: FoundConfirmation,
  { site, locale }: ConfirmationReader,
): CalendarFile {
  const { tenantId, reservationId } = proof
  const entry = { ...site, tenantId, reservationId, locale }
  return { name: `${shared.stay.code}.ics`, text: writeCalendar(shared, entry) }
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
