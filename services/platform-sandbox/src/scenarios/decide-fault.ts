import { randomInt } from 'node:crypto'
import type { UpstreamName } from '@melmastoon/upstream-contracts'
import type { Fault } from './fault.ts'
import { parseFault } from './parse-fault.ts'
import type { ScenarioBoard } from './scenario-board.ts'

export interface FaultQuery {
  readonly upstream: UpstreamName
  readonly operation: string
  /** The header of this call, which takes precedence when it names a fault. */
  readonly scenario: string | undefined
  readonly board: ScenarioBoard
  /** A number from 0 to 99. */
  readonly roll?: () => number
}

export type AppliedFault = Exclude<Fault, { kind: 'flaky' }>

/** The fault applied to this call; `flaky` is `down` for some calls. */
export function decideFault(query: FaultQuery): AppliedFault | undefined {
  const { upstream, operation, scenario, board, roll = rollPercent } = query
  const own = scenario === undefined ? undefined : parseFault(scenario)
  const fault = own ?? board.faultFor(upstream, operation)
  if (fault?.kind !== 'flaky') return fault
  const { failPercent, kind: _kind, ...rest } = fault
  return roll() < failPercent ? { kind: 'down', ...rest } : undefined
}

function rollPercent(): number {
  return randomInt(100)
}
