import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import type { Intent } from '@melmastoon/upstream-contracts/payment'
import { withError } from '../../drafts/draft.ts'
import { errorEvents } from '../../drafts/draft-messages.ts'
import { saveDraft } from '../../drafts/draft-sql.ts'
import { factsOf, moveDraft } from '../../drafts/draft-states.ts'
import { isUndecided, isWaiting, type PaymentAttempt, withIntent } from '../../payments/attempt.ts'
import { adoptIntent, updateAttempt } from '../../payments/attempt-sql.ts'
import { inLanguageOf, intentCreatedEvent, intentRequest } from '../../payments/intent-request.ts'
import { IF_FENCED, IF_SAVED } from '../fulfilment-sql.ts'
import {
  call,
  callOptions,
  causeOf,
  commit,
  keyFor,
  next,
  readOptions,
  reload,
  type StepContext,
  type StepResult,
  unknown,
  withAttempt,
} from '../fulfilment-steps.ts'
import type { Work } from '../plan-step.ts'

/** Repeats a creation whose outcome is unknown, with the same key and body. */
export async function createIntent(
  context: StepContext,
  work: Work,
  attempt: PaymentAttempt,
): Promise<StepResult> {
  const { payment } = context.deps.upstreams
  const body = intentRequest(work.draft, attempt)
  const created = await call(context, CREATE_REJECTIONS, () =>
    payment.createIntent({ body }, inLanguageOf(attempt, callOptions(context, attempt.key))),
  )
  if (created.kind === 'unknown') return unknown(created.reason)
  if (created.kind === 'rejected') {
    return await store(context, work, { ...attempt, status: 'closed' })
  }
  const known = withIntent(attempt, created.value)
  const event = intentCreatedEvent(known, work.draft, causeOf(context, work.draft))
  const effects = adoptIntent({ ...context.ref, no: attempt.no }, known, {
    events: [event],
    onlyIf: IF_SAVED,
    resultName: 'effect_0',
  })
  await commit(context, { change: {}, effects })
  // A repeated creation may return the intent as it was then: only a read decides (F8).
  return next(withAttempt(work, known))
}

/** All are stored under the key: no delayed copy creates an intent afterwards. */
export const CREATE_REJECTIONS = [
  'MELMASTOON.TENANT.NOT_FOUND',
  'MELMASTOON.TENANT.SUSPENDED',
  'MELMASTOON.PAYMENT.METHOD_NOT_OFFERED',
  'MELMASTOON.PAYMENT.AMOUNT_INVALID',
] as const

export async function readIntent(
  context: StepContext,
  work: Work,
  attempt: PaymentAttempt,
): Promise<StepResult> {
  const intent = await fetchIntent(context, attempt)
  if (typeof intent === 'string') return unknown(intent)
  return await learned(context, work, { attempt, intent })
}

/** A string: why it could not be read. */
export async function fetchIntent(
  context: StepContext,
  attempt: PaymentAttempt,
): Promise<Intent | string> {
  const { intentId } = attempt
  if (intentId === null) throw new TypeError('an intent without an id cannot be read')
  const params = { paymentIntentId: intentId }
  const { payment } = context.deps.upstreams
  const options = inLanguageOf(attempt, readOptions(context))
  const read = await call(context, [], () => payment.getIntent({ params }, options))
  if (read.kind === 'ok') return read.value
  return read.kind === 'unknown' ? read.reason : read.kind
}

/** Closes an intent. One that cannot be closed any more is read: it may have money. */
export async function closeIntent(
  context: StepContext,
  work: Work,
  attempt: PaymentAttempt,
): Promise<StepResult> {
  const { intentId, cancelKey } = attempt
  if (intentId === null) throw new TypeError('an intent without an id cannot be closed')
  const { payment } = context.deps.upstreams
  const input = { params: { paymentIntentId: intentId }, body: { reasonCode: 'booking_closed' } }
  const closed = await call(context, ['MELMASTOON.PAYMENT.ILLEGAL_TRANSITION'], () =>
    payment.cancelIntent(input, inLanguageOf(attempt, callOptions(context, cancelKey))),
  )
  if (closed.kind === 'unknown') return unknown(closed.reason)
  if (closed.kind === 'ok') return await learned(context, work, { attempt, intent: closed.value })
  const intent = await fetchIntent(context, attempt)
  if (typeof intent === 'string') return unknown(intent)
  if (isWaiting(intent.status)) return await closeLater(context, attempt)
  return await learned(context, work, { attempt, intent })
}

/** Some payments cannot be cancelled while the provider works on them (E9): tried again later. */
async function closeLater(context: StepContext, attempt: PaymentAttempt): Promise<StepResult> {
  const n = attempt.no * 1_000 + (context.fence % 1_000)
  const renewed = { ...attempt, cancelKey: keyFor(context, 'cancel-intent-again', n) }
  const ref = { ...context.ref, no: attempt.no }
  await commit(context, { change: {}, effects: [updateAttempt(ref, renewed, IF_SAVED)] })
  return unknown('the payment cannot be cancelled now')
}

/** Remembers what was read. Money is written with the decision, everything else at once. */
async function learned(
  context: StepContext,
  work: Work,
  { attempt, intent }: { readonly attempt: PaymentAttempt; readonly intent: Intent },
): Promise<StepResult> {
  const known = withIntent(attempt, intent)
  const read = withIntentRead(work, attempt, intent)
  const isDecidedLater = known.status === 'paid' && work.record.state === 'open'
  const isKnown = known.status === attempt.status && known.intentVersion === attempt.intentVersion
  if (isDecidedLater || isKnown) return next(read)
  return await store(context, { ...work, intents: read.intents }, known)
}

/** After a read or a change of the intent in this claim. */
export function withIntentRead(work: Work, attempt: PaymentAttempt, intent: Intent): Work {
  const intents = new Map([...work.intents, [attempt.no, intent]])
  return { ...withAttempt(work, withIntent(attempt, intent)), intents }
}

async function store(
  context: StepContext,
  work: Work,
  attempt: PaymentAttempt,
): Promise<StepResult> {
  const failed = failedDraft(context, work, attempt)
  const effects = [updateAttempt({ ...context.ref, no: attempt.no }, attempt, IF_SAVED)]
  const { events } = failed
  if (events.length > 0) effects.push(appendEventsFragment(events, { onlyIf: IF_SAVED }))
  const isStored = await commit(context, {
    change: {},
    effects,
    ...(failed.draft !== null && {
      draft: saveDraft(work.draft, failed.draft, { onlyIf: IF_FENCED }),
    }),
  })
  if (!isStored) return await reload(context, work)
  return next({ ...withAttempt(work, attempt), draft: failed.draft ?? work.draft })
}

/** A payment that failed while the guest was waiting for it is an error of the flow. */
function failedDraft(context: StepContext, work: Work, attempt: PaymentAttempt) {
  const before = work.attempts.find(({ no }) => no === attempt.no)
  const hasFailed = before !== undefined && isUndecided(before) && attempt.status === 'closed'
  const { draft, closing, record } = work
  if (!hasFailed || closing !== null || record.state !== 'open' || draft.state !== 'paying') {
    return { draft: null, events: [] }
  }
  const cause = causeOf(context, draft)
  const { occurredAt: at } = cause
  const moved = moveDraft(draft, {
    event: 'attempt.failed',
    actor: 'provider',
    facts: factsOf(draft, false, at),
    at,
  })
  const entry = {
    code: 'MELMASTOON.PAYMENT.DECLINED',
    atState: draft.state,
    upstream: 'payment-gateway-service',
    at: moved.history.at(-1)?.at ?? draft.createdAt,
  }
  const error = { ...entry, userActionable: true }
  return {
    draft: withError(moved, entry),
    events: errorEvents(context.deps, draft, { error, cause }),
  }
}
