import { isProblem, newId, toIsoDateTime } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import type { Draft } from './draft.ts'
import {
  ACTORS,
  type Actor,
  DRAFT_STATES,
  DRAFT_TRANSITIONS,
  type DraftEvent,
  type DraftFacts,
  type DraftState,
  isFinal,
  moveDraft,
  nextState,
} from './draft-states.ts'

const EVENTS = Object.keys(DRAFT_TRANSITIONS) as DraftEvent[]

/** Written down a second time, by state: every pair that is allowed when all guards hold. */
const ALLOWED: Readonly<Record<DraftState, readonly string[]>> = {
  quoting: ['hold.placed guest holding'],
  holding: [
    'hold.replaced guest holding',
    'details.saved guest collecting_details',
    'hold.extended guest holding',
    'hold.extended service holding',
    'hold.expired service holding',
    'price.changed service holding',
    'stay.gone service holding',
    'price.accepted guest holding',
    'draft.expired sweeper abandoned',
    'draft.deleted guest abandoned',
  ],
  collecting_details: [
    'hold.replaced guest collecting_details',
    'details.changed guest collecting_details',
    'hold.extended guest collecting_details',
    'hold.extended service collecting_details',
    'hold.expired service collecting_details',
    'price.changed service collecting_details',
    'stay.gone service collecting_details',
    'price.accepted guest collecting_details',
    'intent.requested guest paying',
    'draft.expired sweeper abandoned',
    'draft.deleted guest abandoned',
  ],
  paying: [
    'hold.replaced guest paying',
    'details.changed guest paying',
    'hold.extended guest paying',
    'hold.extended service paying',
    'hold.expired service paying',
    'price.changed service paying',
    'stay.gone service paying',
    'price.accepted guest paying',
    'intent.repeated guest paying',
    'attempt.failed provider paying',
    'money.seen provider confirming',
    'stay.released service failed',
    'draft.expired sweeper abandoned',
    'draft.deleted guest abandoned',
  ],
  confirming: ['stay.confirmed service confirmed', 'stay.released service failed'],
  confirmed: [],
  abandoned: [],
  failed: [],
}

/** Facts under which the guard of an event holds. */
function permitting(event: DraftEvent): DraftFacts {
  return {
    hasDetails: true,
    needsConsent: event === 'price.accepted',
    hasOpenAttempt: false,
    isHoldActive: true,
    guestExtensionsLeft: 1,
    serviceExtensionsLeft: 1,
  }
}

const at = new Date('2026-03-01T10:00:00.000Z')

function draftIn(state: DraftState): Draft {
  const now = toIsoDateTime(at)
  const draft: Partial<Draft> = {
    id: newId('bdr'),
    tenantId: newId('tnt'),
    sessionId: newId('tnt_session'),
    version: 7,
    state,
    history: [],
    errors: [],
    guest: null,
    changedTerms: null,
    holdExpiresAt: now,
    guestExtensions: 0,
    serviceExtensions: 0,
  }
  return draft as Draft
}

interface Pair {
  readonly state: DraftState
  readonly event: DraftEvent
  readonly actor: Actor
}

const PAIRS: Pair[] = DRAFT_STATES.flatMap((state) =>
  EVENTS.flatMap((event) => ACTORS.map((actor) => ({ state, event, actor }))),
)

describe('the state table', () => {
  it.each(PAIRS)('PAY-60 $state, $event by $actor', ({ state, event, actor }) => {
    const expected = ALLOWED[state]
      .map((row) => row.split(' '))
      .find(([name, by]) => name === event && by === actor)?.[2]
    const move = () => moveDraft(draftIn(state), { event, actor, facts: permitting(event), at })
    const code = isFinal(state) ? 'DRAFT_ENDED' : 'DRAFT_ILLEGAL_TRANSITION'
    const entry = { event, from: state, to: expected, at: '2026-03-01T10:00:00.000Z' }
    expect(outcomeOf(move)).toEqual(
      expected === undefined
        ? `MELMASTOON.BFF.TENANT.${code}`
        : { state: expected, version: 8, history: [entry] },
    )
  })

  it('has no row that the list above lacks', () => {
    const listed = new Set(
      Object.values(ALLOWED).flatMap((rows) => rows.map((row) => row.split(' ')[0])),
    )
    expect(listed).toEqual(new Set(EVENTS))
    expect(PAIRS).toHaveLength(DRAFT_STATES.length * EVENTS.length * ACTORS.length)
  })

  it.each<[DraftEvent, Actor, Partial<DraftFacts>]>([
    ['hold.replaced', 'guest', { hasOpenAttempt: true }],
    ['hold.extended', 'guest', { guestExtensionsLeft: 0 }],
    ['hold.extended', 'service', { serviceExtensionsLeft: 0 }],
    ['price.changed', 'service', { hasOpenAttempt: true }],
    ['price.accepted', 'guest', { hasOpenAttempt: true }],
    ['price.accepted', 'guest', { needsConsent: false }],
    ['intent.repeated', 'guest', { hasOpenAttempt: true }],
    ['intent.repeated', 'guest', { needsConsent: true }],
    ['intent.repeated', 'guest', { hasDetails: false }],
    ['draft.expired', 'sweeper', { hasOpenAttempt: true }],
    ['draft.deleted', 'guest', { hasOpenAttempt: true }],
  ])('%s by %s is rejected by its guard: %o', (event, actor, facts) => {
    const allowed = permitting(event)
    expect(nextState('paying', event, { actor, facts: allowed })).not.toBeNull()
    expect(nextState('paying', event, { actor, facts: { ...allowed, ...facts } })).toBeNull()
  })

  it('an extension of one actor does not need those of the other', () => {
    const facts = { ...permitting('hold.extended'), serviceExtensionsLeft: 0 }
    expect(nextState('paying', 'hold.extended', { actor: 'guest', facts })).toBe('paying')
  })
})

/** What a move changes, or the code of its rejection. */
function outcomeOf(move: () => Draft) {
  try {
    const { state, version, history } = move()
    return { state, version, history }
  } catch (error) {
    if (isProblem(error)) return error.code
    throw error
  }
}
