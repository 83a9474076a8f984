import type { DraftState } from '../../../src/drafts/draft-states.ts'
import { type Observation, type ShownResponse, type Violation, violation } from './observation.ts'

/** F6: a confirmation is shown only after the record is confirmed. */
export function successAfterCommit({ responses }: Observation): Violation[] {
  return responses
    .filter(({ shows, recordState }) => shows === 'confirmed' && recordState !== 'confirmed')
    .map(({ draftId }) => violation(6, `${draftId} was shown as confirmed too early`))
}

/** F7: a failure is shown only after a definite one. */
export function failureIsDefinite({ audit, responses }: Observation): Violation[] {
  return responses.flatMap((response) => {
    const { shows, draftId, recordState } = response
    if (shows === 'failed' && recordState !== 'released') {
      return [violation(7, `${draftId} was shown as failed while ${String(recordState)}`)]
    }
    if (shows !== 'declined' || isDeclined(audit, response)) return []
    return [violation(7, `${draftId}: a payment was shown as declined that was not`)]
  })
}

const DECLINED = new Set(['failed', 'cancelled'])

function isDeclined(audit: Observation['audit'], { intentIds = [], auditLength }: ShownResponse) {
  // A provider that takes money afterwards does not make the statement wrong.
  return audit
    .slice(0, auditLength)
    .some(
      (entry) =>
        entry.kind === 'intent' &&
        intentIds.includes(entry.paymentIntentId) &&
        DECLINED.has(entry.to),
    )
}

const END_EVENTS: Readonly<Partial<Record<DraftState, readonly string[]>>> = {
  confirmed: ['draft.converted.v1'],
  abandoned: ['draft.abandoned.v1'],
}

const ENDS = new Set(['draft.converted.v1', 'draft.abandoned.v1'])
const ONCE = new Set(['draft.created.v1', 'payment_intent.created.v1', ...ENDS])

/** F10: one end per draft, with its event; each event once. */
export function oneEndPerDraft({ drafts, events }: Observation): Violation[] {
  const wrongEnds = drafts.flatMap(({ draftId, state }) => {
    const ends = events
      .filter((event) => event.draftId === draftId && ENDS.has(event.subject))
      .map(({ subject }) => subject)
    const expected = END_EVENTS[state] ?? []
    const isRight = ends.length === expected.length && ends.every((end) => expected.includes(end))
    return isRight ? [] : [violation(10, `${draftId} is ${state} with [${ends.join(', ')}]`)]
  })
  const seen = new Set<string>()
  const repeated = events.filter(({ subject, draftId, about = '' }) => {
    const name = `${subject} ${draftId} ${about}`
    const isRepeated = ONCE.has(subject) && seen.has(name)
    seen.add(name)
    return isRepeated
  })
  return [
    ...wrongEnds,
    ...repeated.map(({ subject, draftId }) => violation(10, `${draftId}: ${subject} twice`)),
  ]
}

/** F12: nothing that is unfinished waits for a person or a request. */
export function openRecordsAreDue({ records, attempts }: Observation): Violation[] {
  return records
    .filter(({ draftId, state, nextAtMs }) => {
      if (nextAtMs !== null || state === 'confirmed' || state === 'released') return false
      const own = attempts.filter((attempt) => attempt.draftId === draftId)
      const isUndecided = own.some(({ status }) => ['creating', 'open', 'paid'].includes(status))
      return state !== 'open' || isUndecided
    })
    .map(({ draftId, state }) => violation(12, `${draftId} is ${state} and never due`))
}

/** F12, after the drain: nothing is left to do. */
export function nothingIsDue({ records, nowMs }: Observation): Violation[] {
  return records
    .filter(({ nextAtMs }) => nextAtMs !== null && nextAtMs <= nowMs)
    .map(({ draftId, state }) => violation(12, `${draftId} is ${state} and still due`))
}
