import type { UpstreamName } from '@melmastoon/upstream-contracts'
import { SCENARIO_HEADER } from './parse-fault.ts'

export interface Trigger {
  readonly kind: 'header' | 'value'
  /** As it is written in a call. */
  readonly value: string
  readonly where: UpstreamName | 'every upstream'
  readonly does: string
}

const HEADER = 'X-Sandbox-Scenario'

/** One call only; the control room breaks things until they are mended. */
const FAULT_TRIGGERS: readonly Trigger[] = [
  fault('down', 'Answers 503 at once.'),
  fault('down=reset', 'Cuts the connection without an answer.'),
  fault('slow=800', 'Does everything right, 800 ms later; at most 30 seconds.'),
  fault('hanging', 'Never answers; the connection is cut after a minute.'),
  fault('lying', 'Does everything right and answers what the contract forbids.'),
  fault('flaky=50', 'Answers 503 to 50 of 100 calls.'),
]

function fault(name: string, does: string): Trigger {
  return { kind: 'header', value: `${HEADER}: ${name}`, where: 'every upstream', does }
}

/** Everything that a call itself can set off, in one table. */
export const TRIGGERS: readonly Trigger[] = [...FAULT_TRIGGERS]

/** What follows the header's name, of the triggers that have one. */
export function scenarioWord({ value }: Trigger): string | undefined {
  const [header, word] = value.split(': ')
  return header?.toLowerCase() === SCENARIO_HEADER ? word : undefined
}
