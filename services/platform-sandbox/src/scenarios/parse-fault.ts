import { problem } from '@melmastoon/domain'
import { Value } from 'typebox/value'
import { FAULT_KINDS, Fault } from './fault.ts'

export const SCENARIO_HEADER = 'x-sandbox-scenario'

const DEFAULT_DELAY_MS = 2_000
const DEFAULT_FAIL_PERCENT = 50
const SCENARIO = /^([a-z]+)(?:=([a-z0-9]+))?$/

/**
 * `down`, `down=reset`, `slow=800`, `hanging`, `unanswered`, `unanswered=reset`, `lying`,
 * `flaky=50`. Other values belong to the modules. A misspelt fault is rejected, otherwise a test
 * would pass without testing anything.
 */
export function parseFault(scenario: string): Fault | undefined {
  const [, kind, option] = SCENARIO.exec(scenario.trim()) ?? []
  if (!FAULT_KINDS.some((known) => known === kind)) return undefined
  const fault = faultOf(kind, option)
  if (Value.Check(Fault, fault)) return fault
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', {
    errors: [
      { pointer: `/headers/${SCENARIO_HEADER}`, code: 'scenario', detail: 'is not a valid fault' },
    ],
  })
}

function faultOf(kind: string | undefined, option: string | undefined): unknown {
  if (kind === 'slow') return { kind, delayMs: Number(option ?? DEFAULT_DELAY_MS) }
  if (kind === 'flaky') return { kind, failPercent: Number(option ?? DEFAULT_FAIL_PERCENT) }
  if ((kind === 'down' || kind === 'unanswered') && option === 'reset') return { kind, reset: true }
  return option === undefined ? { kind } : undefined
}
