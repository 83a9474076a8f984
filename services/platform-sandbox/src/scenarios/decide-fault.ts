import { randomInt } from 'node:crypto'
import type { UpstreamName } from '@melmastoon/upstream-contracts'
import type { Fault } from './fault.ts'
import { parseFault } from './parse-fault.ts'
import type { ScenarioBoard } from './scenario-board.ts'

export interface FaultQuestion {
  readonly upstream: UpstreamName
  readonly operation: string
  /** The header of this call, which decides alone when it names a fault. */
  readonly scenario: string | undefined
  readonly board: ScenarioBoard
  /** A number from 0 to 99. */
  readonly roll?: () => number
}

export type PlayedFault = Exclude<Fault, { kind: 'flaky' }>

/** What happens to this one call; being flaky is being down for some of them. */
export function decideFault(question: FaultQuestion): PlayedFault | undefined {
  const { upstream, operation, scenario, board, roll = rollPercent } = question
  const own = scenario === undefined ? undefined : parseFault(scenario)
  const fault = own ?? board.faultFor(upstream, operation)
  if (fault?.kind !== 'flaky') return fault
  return roll() < fault.failPercent ? { kind: 'down' } : undefined
}

function rollPercent(): number {
  return randomInt(100)
}
