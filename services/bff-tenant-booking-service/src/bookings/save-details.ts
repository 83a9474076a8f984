import type { Mutation } from '@melmastoon/chassis/idempotency'
import { problem } from '@melmastoon/domain'
import type { KeyedHash } from '@melmastoon/security'
import { type Draft, touched } from '../drafts/draft.ts'
import { draftCause, type MessageDeps, stepEvents } from '../drafts/draft-messages.ts'
import { CLAIMED, saveDraft } from '../drafts/draft-sql.ts'
import { factsOf, type Move, moveDraft } from '../drafts/draft-states.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import type { GuestDetails, GuestInput, GuestRules } from '../guests/guest-details.ts'
import { guestHashes } from '../guests/guest-hashes.ts'
import { sealGuest } from '../guests/sealed-guest.ts'
import { validateGuest } from '../guests/validate-guest.ts'
import { isActive } from '../payments/attempt.ts'
import type { BookingActor } from '../sessions/booking-actor.ts'
import { draftHeaders } from './draft-view.ts'
import {
  type OwnDraft,
  ownView,
  type ReadDraftDeps,
  requireOwnBooking,
} from './read-own-booking.ts'

export interface SaveDetailsDeps extends ReadDraftDeps, MessageDeps {
  readonly hashes: Pick<KeyedHash, 'hash'>
}

export interface SaveDetailsRequest extends OwnDraft, Pick<BookingActor, 'cause'> {
  /** The version that the form was filled in for. */
  readonly version: number
  readonly input: GuestInput
  /** What the hotel asks of its guests. */
  readonly rules: (draft: Draft) => Promise<Omit<GuestRules, 'now'>>
}

/** Details and their events in one statement; the draft must still have the version (T10). */
export async function saveDetails(
  deps: SaveDetailsDeps,
  request: SaveDetailsRequest,
): Promise<Mutation> {
  const booking = await requireOwnBooking(deps, request)
  const { draft } = booking
  moveDraft(draft, saving(booking))
  if (draft.version !== request.version) throw versionConflict(booking)
  const rules = await request.rules(draft)
  const guest = validateGuest(request.input, { ...rules, now: booking.now })
  const after = withDetails(deps, booking, guest)
  const isFirst = draft.guest === null
  const events = isFirst ? stepEvents(deps, after, draftCause(after, request.cause())) : []
  return {
    effect: saveDraft(draft, after, { onlyIf: CLAIMED, touches: true }),
    events,
    response: {
      status: 200,
      body: ownView(deps, { ...booking, draft: after }),
      headers: draftHeaders(after),
    },
    rejection: () => problem('MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT'),
    afterCommit: () => deps.hotDrafts.store(after),
  }
}

function versionConflict({ draft }: Booking) {
  const { version } = draft
  return problem('MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT', { extensions: { version } })
}

function withDetails(deps: SaveDetailsDeps, booking: Booking, guest: GuestDetails) {
  const { draft, now } = booking
  const { tenantId, id: draftId } = draft
  const moved = moveDraft(draft, saving(booking))
  const { emailHash, phoneHash } = guestHashes(deps, guest)
  return {
    ...touched(moved, now),
    guest: sealGuest(deps, { tenantId, draftId }, guest),
    guestEmailHash: emailHash,
    guestPhoneHash: phoneHash,
  }
}

function saving({ draft, attempts, now }: Booking): Move {
  return {
    event: draft.state === 'holding' ? 'details.saved' : 'details.changed',
    actor: 'guest',
    facts: factsOf(draft, attempts.some(isActive), now),
    at: now,
  }
}
