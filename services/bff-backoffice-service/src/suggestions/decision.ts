import { isDeepStrictEqual } from 'node:util'
import type { DeviceId, Id, OperatorId } from '@melmastoon/domain'
import type { DecisionOutcome } from '@melmastoon/upstream-contracts/ai'

export type ModifiedDelta = Record<string, unknown>

/** The binding decision on a suggestion, as in the log. */
export interface Decision {
  readonly decisionId: Id<'sdl'>
  readonly suggestionId: Id<'sug'>
  readonly outcome: DecisionOutcome
  readonly modifiedDelta: ModifiedDelta | null
  readonly operatorId: OperatorId
  readonly deviceId: DeviceId
  readonly decidedAt: Date
}

type Content = Pick<Decision, 'operatorId' | 'outcome' | 'modifiedDelta'>

/** Whether both mean the same: a repetition by the operator, from any device. */
export function isSameDecision(a: Content, b: Content): boolean {
  return (
    a.operatorId === b.operatorId &&
    a.outcome === b.outcome &&
    isDeepStrictEqual(a.modifiedDelta, b.modifiedDelta)
  )
}
