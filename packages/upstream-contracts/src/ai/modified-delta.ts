import { Compile } from 'typebox/compile'
import { MODIFIED_DELTAS, type Proposal, type SuggestionCategory } from './proposals.ts'

/** Why a delta cannot be applied to a proposal; `pointer` is relative to the delta. */
export interface DeltaError {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

const VALIDATORS = {
  overbooking_warning: Compile(MODIFIED_DELTAS.overbooking_warning),
  rate_change: Compile(MODIFIED_DELTAS.rate_change),
  housekeeping_reorder: Compile(MODIFIED_DELTAS.housekeeping_reorder),
  maintenance_priority: Compile(MODIFIED_DELTAS.maintenance_priority),
  guest_special_handling: Compile(MODIFIED_DELTAS.guest_special_handling),
  staffing: Compile(MODIFIED_DELTAS.staffing),
  audit_anomaly: Compile(MODIFIED_DELTAS.audit_anomaly),
} as const

const ERRORS_MAX = 10

/** Whether a delta has the form of its category; a proposal is not needed. */
export function findDeltaFormErrors(category: SuggestionCategory, delta: unknown): DeltaError[] {
  const validator = VALIDATORS[category]
  if (validator.Check(delta)) return []
  return validator
    .Errors(delta)
    .slice(0, ERRORS_MAX)
    .map(({ instancePath, keyword, message }) => ({
      pointer: instancePath,
      code: keyword,
      detail: message,
    }))
}

/** All reasons why a delta is not valid for a proposal; empty when it can be applied. */
export function findDeltaErrors(proposal: Proposal, delta: unknown): DeltaError[] {
  const inForm = findDeltaFormErrors(proposal.kind, delta)
  if (inForm.length > 0) return inForm
  const modified = merge(proposal, delta)
  return [...findNoChange(proposal, modified), ...findConflicts(proposal, modified)]
}

/** The proposal as modified by the operator. Throws when the delta is not valid for it. */
export function applyModifiedDelta(proposal: Proposal, delta: unknown): Proposal {
  const [error] = findDeltaErrors(proposal, delta)
  if (error !== undefined) throw new TypeError(`delta${error.pointer} ${error.detail}`)
  return merge(proposal, delta)
}

/** Requires a delta of valid form. */
function merge<P extends Proposal>(proposal: P, delta: unknown): P {
  return { ...proposal, ...(delta as Partial<P>) }
}

function findNoChange(proposal: Proposal, modified: Proposal): DeltaError[] {
  if (JSON.stringify(proposal) !== JSON.stringify(modified)) return []
  return [{ pointer: '', code: 'unchanged', detail: 'does not change the proposal' }]
}

/** Rules that compare the delta with the proposal. */
function findConflicts(proposal: Proposal, modified: Proposal): DeltaError[] {
  if (modified.kind === 'rate_change') {
    const { proposedNightly, currentNightly, from, to } = modified
    return [
      ...errorIf(proposedNightly.currency !== currentNightly.currency, {
        pointer: '/proposedNightly/currency',
        code: 'currency',
        detail: 'must be the currency of the current price',
      }),
      ...errorIf(from >= to, { pointer: '/to', code: 'range', detail: 'must be after from' }),
    ]
  }
  if (modified.kind === 'housekeeping_reorder' && proposal.kind === 'housekeeping_reorder') {
    const isSameSet = modified.roomIds.toSorted().join() === proposal.roomIds.toSorted().join()
    return errorIf(!isSameSet, {
      pointer: '/roomIds',
      code: 'rooms',
      detail: 'must contain the rooms of the proposal, in another order',
    })
  }
  return []
}

function errorIf(isError: boolean, error: DeltaError): DeltaError[] {
  return isError ? [error] : []
}
