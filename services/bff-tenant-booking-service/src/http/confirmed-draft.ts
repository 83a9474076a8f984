import type { DraftVM } from '../bookings/draft-view.ts'
import { confirmationLink, type LinkDeps } from '../confirmation/confirmation-link.ts'
import type { Site } from '../site/site.ts'

/** With the signed link of the confirmation, once there is one. */
export function withConfirmationLink(
  deps: LinkDeps,
  { tenantId, origin }: Pick<Site, 'tenantId' | 'origin'>,
  draft: DraftVM,
): DraftVM {
  const { outcome, terms } = draft
  if (outcome === null || outcome.reservationId === null) return draft
  const { reservationId } = outcome
  const { checkOut } = terms.stay
  const link = confirmationLink(deps, { tenantId, origin, reservationId, checkOut })
  return { ...draft, outcome: { ...outcome, confirmationLink: link } }
}
