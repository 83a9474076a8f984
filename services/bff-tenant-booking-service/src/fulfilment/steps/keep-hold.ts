import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import { Problem, toIsoDateTime } from '@melmastoon/domain'
import { laterHold, SERVICE_EXTENSIONS_MAX, withError } from '../../drafts/draft.ts'
import { errorEvents } from '../../drafts/draft-messages.ts'
import { saveDraft } from '../../drafts/draft-sql.ts'
import { factsOf, moveDraft } from '../../drafts/draft-states.ts'
import { type PriceCheck, recheckPrice } from '../../drafts/recheck-price.ts'
import { IF_FENCED, IF_SAVED } from '../fulfilment-sql.ts'
import {
  call,
  callOptions,
  causeOf,
  commit,
  keyFor,
  next,
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
    holdExpiresAt: laterHold(draft, extended.value.holdExpiresAt),
  }
  const isSaved = await commit(context, {
    change: {},
    draft: saveDraft(draft, after, { onlyIf: IF_FENCED }),
  })
  return isSaved ? next({ ...work, draft: after }) : await reload(context, work)
}

/** Cash was promised for a hold that has expired: the price must still be the agreed one. */
export async function recheckLateCash(context: StepContext, work: Work): Promise<StepResult> {
  const { deps, options } = context
  const { deadline, trace } = options
  const upstreamKey = (step: string) => keyFor(context, step, work.draft.holdNo)
  const checked = await call(context, [], () =>
    recheckPrice(deps, work.draft, { deadline, trace, upstreamKey }).catch(asGoneIfSuspended),
  )
  if (checked.kind !== 'ok') return unknown(checked.kind === 'unknown' ? checked.reason : '')
  const check = checked.value
  if (check.kind === 'matched') return next({ ...work, recheck: check.kind })
  const { draft, events } = priceChanged(context, work, check)
  const isSaved = await commit(context, {
    change: {},
    draft: saveDraft(work.draft, draft, { onlyIf: IF_FENCED }),
    effects: [appendEventsFragment(events, { onlyIf: IF_SAVED })],
  })
  return isSaved ? next({ ...work, draft, recheck: check.kind }) : await reload(context, work)
}

/** A suspended hotel has no new terms; otherwise the promise would stay open until its return. */
function asGoneIfSuspended(error: unknown): PriceCheck {
  const isSuspended =
    error instanceof Problem && error.code === 'MELMASTOON.BFF.TENANT.SITE_SUSPENDED'
  if (!isSuspended) throw error
  return { kind: 'gone' }
}

/** The guest has to agree to the new terms and hold again; without any, to choose another stay. */
function priceChanged(
  context: StepContext,
  { draft }: Work,
  check: Exclude<PriceCheck, { kind: 'matched' }>,
) {
  const isChanged = check.kind === 'changed'
  const cause = causeOf(context, draft)
  const at = cause.occurredAt
  const entry = {
    code: `MELMASTOON.BFF.TENANT.${isChanged ? 'PRICE_CHANGED' : 'STAY_GONE'}`,
    atState: draft.state,
    upstream: 'pricing-service',
    at: toIsoDateTime(at),
  }
  const facts = factsOf(draft, false, at)
  const event = isChanged ? 'price.changed' : 'stay.gone'
  const moved = moveDraft(draft, { event, actor: 'service', facts, at })
  const changedTerms = isChanged ? check.terms : null
  const error = { ...entry, userActionable: true }
  return {
    draft: withError({ ...moved, changedTerms }, entry),
    events: errorEvents(context.deps, draft, { error, cause }),
  }
}
