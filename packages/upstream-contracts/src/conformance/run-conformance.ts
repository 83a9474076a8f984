import { type Clock, systemClock } from '@melmastoon/chassis/clock'
import { UPSTREAMS, type UpstreamName } from '../contract.ts'
import { type CheckResult, type Report, runCheck } from './check.ts'
import { CONTRACTS } from './contracts.ts'
import { refusalChecks } from './refusal-checks.ts'
import { runScripts } from './run-scripts.ts'
import type { Target } from './wire.ts'

export interface ConformanceOptions {
  readonly target: Target
  readonly upstreams?: readonly UpstreamName[]
  /** Scripts change things: they make tenants, sell rooms and give them back. */
  readonly withScripts?: boolean
  readonly cardToken?: string
  readonly clock?: Clock
  readonly onResult?: Report
}

/** Whether whoever is behind these addresses keeps what the contracts promise. */
export async function runConformance(options: ConformanceOptions): Promise<CheckResult[]> {
  const { target, upstreams = UPSTREAMS, cardToken = 'tok_ok' } = options
  const now = (options.clock ?? systemClock).now()
  const results: CheckResult[] = []
  const report: Report = (result) => {
    results.push(result)
    options.onResult?.(result)
  }
  for (const upstream of upstreams) {
    await target.authOf(upstream).ready()
    const checks = refusalChecks(target, CONTRACTS[upstream], now)
    for (const check of checks) await runCheck(check, report)
  }
  if (options.withScripts ?? true) {
    await runScripts({ target, upstreams, now, cardToken, report })
  }
  return results
}
