import type { Clock, TimeLimit } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import {
  type BookingSessionId,
  type DraftId,
  isProblem,
  problem,
  type TenantId,
} from '@melmastoon/domain'
import type { Booking } from '../fulfilment/fulfilment.ts'
import { readBooking } from '../fulfilment/settle.ts'
import { ownGuestView } from '../guests/guest-view.ts'
import { type GuestDataDeps, openGuest } from '../guests/sealed-guest.ts'
import { type DraftVM, draftView } from './draft-view.ts'
import type { HotDrafts } from './hot-drafts.ts'

export interface OwnBookingDeps {
  readonly db: Database
}

/** A draft, and the session that claims to own it. */
export interface OwnDraft {
  readonly tenantId: TenantId
  readonly sessionId: BookingSessionId
  readonly draftId: DraftId
  readonly deadline: TimeLimit
}

/** From Postgres. @throws Problem DRAFT_NOT_FOUND also for a draft of another session (D18). */
export async function requireOwnBooking(deps: OwnBookingDeps, own: OwnDraft): Promise<Booking> {
  const { tenantId, sessionId, draftId, deadline } = own
  const booking = await readBooking(deps.db.scoped(tenantId, { deadline }), draftId)
  if (booking !== null && booking.draft.sessionId === sessionId) return booking
  throw problem('MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND')
}

export interface ReadDraftDeps extends OwnBookingDeps, GuestDataDeps {
  readonly clock: Clock
  readonly hotDrafts: HotDrafts
}

/** For a page; any tab of the session can resume. While Postgres is down, from the copy. */
export async function readOwnDraft(deps: ReadDraftDeps, own: OwnDraft): Promise<DraftVM> {
  const { tenantId, sessionId, draftId } = own
  try {
    return ownView(deps, await requireOwnBooking(deps, own))
  } catch (error) {
    if (!isProblem(error) || error.status < 500) throw error
    const copy = await deps.hotDrafts.read(draftId)
    if (copy === null || copy.tenantId !== tenantId || copy.sessionId !== sessionId) throw error
    return ownView(deps, { draft: copy, record: null, attempts: [], now: deps.clock.now() })
  }
}

/** With the details in clear text: for the session that entered them. */
export function ownView(deps: GuestDataDeps, booking: Booking): DraftVM {
  const { draft, now } = booking
  const { tenantId, id: draftId, guest } = draft
  const details = guest === null ? null : openGuest(deps, { tenantId, draftId }, guest)
  return draftView(booking, { guest: details === null ? null : ownGuestView(details), now })
}
