import type { IsoDateTime } from '@melmastoon/domain'
import { SERVICE_EXTENSIONS_MAX, withError } from '../../drafts/draft.ts'
import { saveDraft } from '../../drafts/draft-sql.ts'
import { factsOf, moveDraft } from '../../drafts/draft-states.ts'
import { IF_FENCED } from '../fulfilment-sql.ts'
import {
  call,
  callOptions,
  commit,
  keyFor,
  next,
  readOptions,
  reload,
  type StepContext,
  type StepResult,
  unknown,
} from '../fulfilment-steps.ts'
import type { Work } from '../plan-step.ts'

const EXTEND_REJECTIONS = [
  'MELMASTOON.RESERVATION.NOT_FOUND',
  'MELMASTOON.RESERVATION.HOLD_EXPIRED',
  'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
  'MELMASTOON.INVENTORY.EXTENSION_REFUSED',
] as const

/** While the provider is processing a payment, the rooms stay held for it. */
export async function extendHold(context: StepContext, work: Work): Promise<StepResult> {
  const { draft } = work
  const n = draft.holdNo * 100 + draft.serviceExtensions
  const input = { params: { reservationId: draft.reservationId }, body: {} }
  const extended = await call(context, EXTEND_REJECTIONS, () =>
    context.deps.upstreams.reservation.extend(
      input,
      callOptions(context, keyFor(context, 'extend-service', n)),
    ),
  )
  if (extended.kind === 'unknown') return unknown(extended.reason)
  if (extended.kind === 'rejected') {
    return next({ ...work, draft: { ...draft, serviceExtensions: SERVICE_EXTENSIONS_MAX } })
  }
  const at = context.deps.clock.now()
  const facts = factsOf(draft, true, at)
  const moved = moveDraft(draft, { event: 'hold.extended', actor: 'service', facts, at })
  const after = {
    ...moved,
    serviceExtensions: draft.serviceExtensions + 1,
    holdExpiresAt: extended.value.holdExpiresAt ?? draft.holdExpiresAt,
  }
  const isSaved = await commit(context, {
    change: {},
    draft: saveDraft(draft, after, { onlyIf: IF_FENCED }),
  })
  return isSaved ? next({ ...work, draft: after }) : await reload(context, work)
}

/** Cash was promised for a hold that has expired: the price must still be the agreed one. */
export async function recheckPrice(context: StepContext, work: Work): Promise<StepResult> {
  const { pricing } = context.deps.upstreams
  const params = { quoteId: work.draft.terms.quoteId }
  const checked = await call(context, ['MELMASTOON.PRICING.QUOTE_NOT_FOUND'], () =>
    pricing.recheckQuote({ params }, readOptions(context)),
  )
  if (checked.kind === 'unknown') return unknown(checked.reason)
  const recheck = checked.kind === 'ok' ? checked.value.outcome : 'gone'
  if (recheck === 'matched') return next({ ...work, recheck })
  const at = context.deps.clock.now()
  const entry = {
    code: `MELMASTOON.BFF.TENANT.${recheck === 'changed' ? 'PRICE_CHANGED' : 'STAY_GONE'}`,
    atState: work.draft.state,
    upstream: 'pricing-service',
    at: at.toISOString() as IsoDateTime,
  }
  const facts = factsOf(work.draft, false, at)
  const event = recheck === 'changed' ? 'price.changed' : 'stay.gone'
  const draft = withError(moveDraft(work.draft, { event, actor: 'service', facts, at }), entry)
  const isSaved = await commit(context, {
    change: {},
    draft: saveDraft(work.draft, draft, { onlyIf: IF_FENCED }),
  })
  return isSaved ? next({ ...work, draft, recheck }) : await reload(context, work)
}
