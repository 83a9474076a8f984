import { problem } from '@melmastoon/domain'
import type { Draft } from './draft.ts'
import { GUEST_EXTENSIONS_MAX, SERVICE_EXTENSIONS_MAX, TRAIL_MAX } from './draft.ts'

/** `quoting` has no row: the draft exists from the hold on. The last three are final. */
export const DRAFT_STATES = [
  'quoting',
  'holding',
  'collecting_details',
  'paying',
  'confirming',
  'confirmed',
  'abandoned',
  'failed',
] as const
export type DraftState = (typeof DRAFT_STATES)[number]

export const ACTORS = ['guest', 'service', 'provider', 'sweeper'] as const
export type Actor = (typeof ACTORS)[number]

/** What the guards of the table ask about a draft and its payments. */
export interface DraftFacts {
  readonly hasDetails: boolean
  readonly needsConsent: boolean
  /** An attempt of which it is not known that no money will come. */
  readonly hasOpenAttempt: boolean
  readonly isHoldActive: boolean
  readonly guestExtensionsLeft: number
  readonly serviceExtensionsLeft: number
}

type Guard = (facts: DraftFacts, actor: Actor) => boolean

export interface Transition {
  readonly actors: readonly Actor[]
  readonly from: readonly DraftState[]
  /** `same`: the event changes the draft, not its state. */
  readonly to: DraftState | 'same'
  readonly guard?: Guard
}

const OPEN: readonly DraftState[] = ['holding', 'collecting_details', 'paying']

const hasNoOpenAttempt: Guard = (facts) => !facts.hasOpenAttempt
const hasExtensionsLeft: Guard = (facts, actor) =>
  (actor === 'guest' ? facts.guestExtensionsLeft : facts.serviceExtensionsLeft) > 0
const mayRequestIntent: Guard = (facts) =>
  facts.hasDetails && !facts.needsConsent && !facts.hasOpenAttempt

/** Every change of a draft. A pair of state and event that is not listed is rejected (T10). */
export const DRAFT_TRANSITIONS = {
  'hold.placed': { actors: ['guest'], from: ['quoting'], to: 'holding' },
  'hold.replaced': { actors: ['guest'], from: OPEN, to: 'same', guard: hasNoOpenAttempt },
  'details.saved': { actors: ['guest'], from: ['holding'], to: 'collecting_details' },
  'details.changed': { actors: ['guest'], from: ['collecting_details', 'paying'], to: 'same' },
  'hold.extended': {
    actors: ['guest', 'service'],
    from: OPEN,
    to: 'same',
    guard: hasExtensionsLeft,
  },
  'hold.expired': { actors: ['service'], from: OPEN, to: 'same' },
  'price.changed': { actors: ['service'], from: OPEN, to: 'same', guard: hasNoOpenAttempt },
  'stay.gone': { actors: ['service'], from: OPEN, to: 'same' },
  'price.accepted': {
    actors: ['guest'],
    from: OPEN,
    to: 'same',
    guard: (facts) => facts.needsConsent && !facts.hasOpenAttempt,
  },
  'intent.requested': {
    actors: ['guest'],
    from: ['collecting_details'],
    to: 'paying',
    guard: mayRequestIntent,
  },
  'intent.repeated': { actors: ['guest'], from: ['paying'], to: 'same', guard: mayRequestIntent },
  'attempt.failed': { actors: ['provider'], from: ['paying'], to: 'same' },
  'money.seen': { actors: ['provider'], from: ['paying'], to: 'confirming' },
  'stay.confirmed': { actors: ['service'], from: ['confirming'], to: 'confirmed' },
  'stay.released': { actors: ['service'], from: ['paying', 'confirming'], to: 'failed' },
  'draft.expired': { actors: ['sweeper'], from: OPEN, to: 'abandoned', guard: hasNoOpenAttempt },
  'draft.deleted': { actors: ['guest'], from: OPEN, to: 'abandoned', guard: hasNoOpenAttempt },
} as const satisfies Record<string, Transition>

export type DraftEvent = keyof typeof DRAFT_TRANSITIONS

const FINAL_STATES: ReadonlySet<DraftState> = new Set(['confirmed', 'abandoned', 'failed'])

export function isFinal(state: DraftState): boolean {
  return FINAL_STATES.has(state)
}

/** The state after an event; null when the table does not allow it. */
export function nextState(
  state: DraftState,
  event: DraftEvent,
  { actor, facts }: { readonly actor: Actor; readonly facts: DraftFacts },
): DraftState | null {
  const row: Transition = DRAFT_TRANSITIONS[event]
  if (!row.actors.includes(actor) || !row.from.includes(state)) return null
  if (row.guard !== undefined && !row.guard(facts, actor)) return null
  return row.to === 'same' ? state : row.to
}

export interface Move {
  readonly event: DraftEvent
  readonly actor: Actor
  readonly facts: DraftFacts
  readonly at: Date
}

/** The draft after an event, with the next version and an entry in its history. */
export function moveDraft(draft: Draft, { event, actor, facts, at }: Move): Draft {
  const to = nextState(draft.state, event, { actor, facts })
  if (to === null) throw illegalTransition(draft.state, event)
  const entry = { event, from: draft.state, to, at: at.toISOString() as Draft['createdAt'] }
  return {
    ...draft,
    state: to,
    version: draft.version + 1,
    history: [...draft.history, entry].slice(-TRAIL_MAX),
  }
}

export function illegalTransition(state: DraftState, event: DraftEvent) {
  const code = isFinal(state)
    ? 'MELMASTOON.BFF.TENANT.DRAFT_ENDED'
    : 'MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION'
  return problem(code, { extensions: { state, event } })
}

export function factsOf(draft: Draft, hasOpenAttempt: boolean, now: Date): DraftFacts {
  return {
    hasDetails: draft.guest !== null,
    needsConsent: draft.changedTerms !== null,
    hasOpenAttempt,
    isHoldActive: Date.parse(draft.holdExpiresAt) > now.getTime(),
    guestExtensionsLeft: GUEST_EXTENSIONS_MAX - draft.guestExtensions,
    serviceExtensionsLeft: SERVICE_EXTENSIONS_MAX - draft.serviceExtensions,
  }
}
