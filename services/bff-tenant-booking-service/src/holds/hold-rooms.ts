import { createHash } from 'node:crypto'
import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Claim } from '@melmastoon/chassis/idempotency'
import { fromUpstreamRejection, UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type DraftId, type ProblemCode, problem, uuidToId } from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import type {
  guestReservationContract,
  Reservation,
} from '@melmastoon/upstream-contracts/reservation'
import type { BookingActor } from '../sessions/booking-actor.ts'

export interface HoldRoomsDeps {
  readonly upstreams: { readonly reservation: ClientOf<typeof guestReservationContract> }
}

export interface RoomsWanted extends Pick<BookingActor, 'site' | 'session' | 'locale'> {
  readonly quote: Quote
  /** Reservation-service allows one active hold for each. */
  readonly holderId: DraftId
  readonly claim: Pick<Claim, 'upstreamKey'>
}

export type HeldReservation = Reservation & Required<Pick<Reservation, 'holdExpiresAt'>>

/**
 * Every attempt of a request repeats the same key and body, so a hold whose response was lost is
 * found again. @throws Problem with the reason of a rejection.
 */
export async function holdRooms(
  deps: HoldRoomsDeps,
  wanted: RoomsWanted,
  call: UpstreamCall,
): Promise<HeldReservation> {
  const { quote, holderId, site, session, locale, claim } = wanted
  const key = claim.upstreamKey('hold')
  const options = { deadline: call.deadline, trace: call.trace, tenantId: site.tenantId }
  const body = {
    quoteId: quote.quoteId,
    draftId: holderId,
    guestLocale: locale,
    session: session.id,
    expectedDigest: quote.digest,
  }
  const { reservation } = deps.upstreams
  const held = await reservation
    .hold({ body }, { ...options, idempotencyKey: key })
    .catch((error: unknown) => {
      // The language of the session has changed since the first attempt.
      const isReused = error instanceof UpstreamRejection && error.code === KEY_REUSED
      if (isReused) return reservation.getByKey({ params: { key } }, options)
      throw holdProblem(error)
    })
  return checked(held, quote)
}

const KEY_REUSED = 'MELMASTOON.IDEMPOTENCY.KEY_REUSED'

/** The guest pays the total of the reservation, so it must be that of the quote (F5). */
function checked(held: Reservation, quote: Quote): HeldReservation {
  const { holdExpiresAt, digest, total } = held
  const isQuoted =
    digest === quote.digest &&
    total.amountMicro === quote.total.amountMicro &&
    total.currency === quote.total.currency
  if (holdExpiresAt === undefined || !isQuoted) {
    throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
  }
  return { ...held, holdExpiresAt }
}

const PROBLEM_OF: Readonly<Record<string, ProblemCode>> = {
  'MELMASTOON.TENANT.SUSPENDED': 'MELMASTOON.BFF.TENANT.SITE_SUSPENDED',
  'MELMASTOON.PRICING.QUOTE_NOT_FOUND': 'MELMASTOON.PRICING.QUOTE_NOT_FOUND',
  'MELMASTOON.PRICING.QUOTE_EXPIRED': 'MELMASTOON.PRICING.QUOTE_EXPIRED',
  'MELMASTOON.PRICING.PRICE_CHANGED': 'MELMASTOON.BFF.TENANT.PRICE_CHANGED',
  'MELMASTOON.INVENTORY.STAY_INVALID': 'MELMASTOON.BFF.TENANT.STAY_GONE',
  'MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND': 'MELMASTOON.BFF.TENANT.STAY_GONE',
  'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED': 'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED',
  'MELMASTOON.INVENTORY.EXTENSION_REFUSED': 'MELMASTOON.BFF.TENANT.EXTENSION_LIMIT',
  'MELMASTOON.RESERVATION.HOLD_ACTIVE': 'MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT',
  'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED': 'MELMASTOON.BFF.TENANT.SOLD_OUT',
  'MELMASTOON.RESERVATION.HOLD_EXPIRED': 'MELMASTOON.BFF.TENANT.HOLD_EXPIRED',
  'MELMASTOON.RESERVATION.NOT_FOUND': 'MELMASTOON.BFF.TENANT.HOLD_EXPIRED',
  // A draft that is still open, whose reservation is no longer held.
  'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION': 'MELMASTOON.BFF.TENANT.HOLD_EXPIRED',
}

/** What a rejection of the reservation service means to the guest. */
export function holdProblem(error: unknown): unknown {
  if (!(error instanceof UpstreamRejection)) return error
  const code = PROBLEM_OF[error.code ?? '']
  return code === undefined ? fromUpstreamRejection(error) : problem(code, { cause: error })
}

/** The same in every attempt of a request; its time is that of the quote. */
export function deriveDraftId(
  { createdAt }: Pick<Quote, 'createdAt'>,
  claim: Pick<Claim, 'upstreamKey'>,
): DraftId {
  const time = Date.parse(createdAt).toString(16).padStart(12, '0')
  const random = createHash('sha256').update(claim.upstreamKey('draft-id')).digest('hex')
  const hex = `${time}${random}`
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)]
  return uuidToId('bdr', `${parts.join('-')}-${hex.slice(20, 32)}`)
}
