import { type DraftEvent, factsOf, nextState } from '../drafts/draft-states.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import { awaitsConfirm, isActive } from '../payments/attempt.ts'

export const DRAFT_ACTIONS = [
  'extend-hold',
  'hold-again',
  'save-details',
  'accept-price',
  'pay',
  'confirm',
  'continue-payment',
  'switch-method',
  'cancel',
  'view-confirmation',
] as const
export type DraftAction = (typeof DRAFT_ACTIONS)[number]

/** What the state table allows the guest to do now. */
export function allowedActions({ draft, record, attempts }: Booking, now: Date): DraftAction[] {
  const isUndecided = record === null || record.decision === null
  const facts = factsOf(draft, attempts.some(isActive), now)
  const allows = (...events: DraftEvent[]) =>
    isUndecided &&
    events.some((event) => nextState(draft.state, event, { actor: 'guest', facts }) !== null)
  const current = attempts.at(-1)
  const isWaiting = isUndecided && draft.state === 'paying' && current?.status === 'open'
  const isCashChosen =
    isUndecided && draft.state === 'paying' && current !== undefined && awaitsConfirm(current)
  const isRedirected = isWaiting && current.nextAction?.kind === 'redirect'
  const isPaid = attempts.some(({ status }) => status === 'paid')
  const conditions: Readonly<Record<DraftAction, boolean>> = {
    'extend-hold': facts.isHoldActive && allows('hold.extended'),
    'hold-again': allows('hold.replaced'),
    'save-details': allows('details.saved', 'details.changed'),
    'accept-price': facts.isHoldActive && allows('price.accepted'),
    pay: facts.isHoldActive && allows('intent.requested', 'intent.repeated'),
    confirm: isCashChosen,
    'continue-payment': isRedirected,
    'switch-method': isWaiting || isCashChosen,
    // An open payment is cancelled first; money that has arrived prevents it.
    cancel: isCashChosen || (isWaiting && !isPaid) || allows('draft.deleted'),
    'view-confirmation': draft.state === 'confirmed',
  }
  return DRAFT_ACTIONS.filter((action) => conditions[action])
}
