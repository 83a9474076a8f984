import type { Clock, Deadline } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import { type BookingSessionId, isId, type TenantId } from '@melmastoon/domain'
import { selectDraftOfReservation, toDraft } from '../drafts/draft-sql.ts'
import type { BookedDraft } from './booked-stay.ts'
import { type ConfirmationRef, type LinkDeps, verifyToken } from './confirmation-link.ts'
import { confirmationNotFound } from './read-shared.ts'

export interface ProofDeps extends LinkDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly errors: Pick<ErrorReporter, 'report'>
  readonly db: Pick<Database, 'tenantQuery'>
}

export interface Claimant {
  readonly tenantId: TenantId
  /** As sent; anything else than an id is unknown. */
  readonly reservationId: string
  /** Of the request's verified session, if it has one. */
  readonly sessionId: BookingSessionId | null
  readonly token: string | undefined
  readonly deadline: Deadline
}

export interface Proof extends ConfirmationRef {
  /** The session that booked sees the details in clear text; the holder of a link does not. */
  readonly isOwnSession: boolean
  /** Null once it was deleted, or when a link is shown while Postgres is unavailable. */
  readonly draft: BookedDraft | null
}

/**
 * Knowing the id is not enough: the booking session, or a signed link. Without proof the response
 * is that of an unknown id (D18).
 * @throws Problem CONFIRMATION_NOT_FOUND
 */
export async function proveOwnership(deps: ProofDeps, claimant: Claimant): Promise<Proof> {
  const { tenantId, reservationId, sessionId, token } = claimant
  if (!isId('rsv', reservationId)) throw confirmationNotFound()
  const ref = { tenantId, reservationId }
  const hasLink = token !== undefined && verifyToken(deps, { ...ref, token, now: deps.clock.now() })
  if (!hasLink && sessionId === null) throw confirmationNotFound()
  const draft = await findDraft(deps, ref, claimant.deadline).catch((error: unknown) => {
    if (!hasLink) throw error
    deps.errors.report('confirmation', error)
    return null
  })
  const isOwnSession = draft !== null && draft.sessionId === sessionId
  if (!hasLink && !isOwnSession) throw confirmationNotFound()
  // The reservation may be confirmed while its payment is still being captured (F6).
  if (draft !== null && draft.state !== 'confirmed') throw confirmationNotFound()
  return { ...ref, isOwnSession, draft }
}

async function findDraft(
  { db }: Pick<ProofDeps, 'db'>,
  { tenantId, reservationId }: ConfirmationRef,
  deadline: Deadline,
): Promise<BookedDraft | null> {
  const statement = selectDraftOfReservation(reservationId)
  const [row] = await db.tenantQuery(tenantId, statement, { deadline })
  return row === undefined ? null : toDraft(row)
}
