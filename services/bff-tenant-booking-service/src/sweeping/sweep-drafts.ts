import { createDeadline } from '@melmastoon/chassis/clock'
import { forEachConcurrently } from '@melmastoon/chassis/concurrency'
import type { Database } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import { newTrace } from '@melmastoon/chassis/telemetry'
import type { CheckoutDeps } from '../checkout/checkout-deps.ts'
import { endUnpaidDraft } from '../checkout/end-draft.ts'
import { systemCause } from '../drafts/draft-messages.ts'
import { type DueDraft, selectExpiredDrafts, toDue } from '../drafts/draft-sql.ts'
import { isFinal } from '../drafts/draft-states.ts'
import { settleInBackground } from '../fulfilment/poll-fulfilments.ts'
import { readBooking } from '../fulfilment/settle.ts'

export interface SweepDeps extends CheckoutDeps {
  readonly relayDb: Database
  readonly errors: { for(component: string): (error: unknown) => void }
}

const BATCH = 500
const CONCURRENT = 6
const BUDGET_MS = 8_000

/**
 * Ends every draft whose time is over (T15). The list is an index in Postgres, so neither a crash
 * nor a lost Redis key hides a draft, and the statement that ends one also writes its event, so
 * each is published once. Several sweepers may run at once.
 */
export async function sweepDrafts(
  deps: SweepDeps,
  signal: AbortSignal,
): Promise<{ ended: number; postponed: number }> {
  const total = { ended: 0, postponed: 0 }
  const onError = deps.errors.for('sweep-abandoned-drafts')
  const seen = new Set<string>()
  for (;;) {
    signal.throwIfAborted()
    const rows = await deps.relayDb.query(selectExpiredDrafts(BATCH + total.postponed))
    const due = rows.map(toDue).filter(({ draftId }) => !seen.has(draftId))
    if (due.length === 0) return total
    await forEachConcurrently(due, CONCURRENT, async (ref) => {
      seen.add(ref.draftId)
      const isEnded = await sweepDraft(deps, ref).catch((error: unknown) => {
        onError(error)
        return false
      })
      crashPoint('sweep.after_draft')
      if (isEnded) total.ended += 1
      else total.postponed += 1
    })
  }
}

/** False: a payment is still being clarified, or the guest has just returned. */
async function sweepDraft(deps: SweepDeps, ref: DueDraft): Promise<boolean> {
  const booking = await readBooking(deps.db.scoped(ref.tenantId), ref.draftId)
  if (booking === null) return false
  if (booking.record === null) {
    using deadline = createDeadline(BUDGET_MS)
    const cause = systemCause(deps, booking.draft, deps.clock.now())
    const input = { reason: 'abandoned', cause, deadline, trace: newTrace() } as const
    return (await endUnpaidDraft(deps, booking, input)) !== null
  }
  const result = await settleInBackground(deps, ref, { trigger: 'sweep' })
  if (result.kind === 'busy') return false
  return isFinal(result.booking.draft.state)
}
