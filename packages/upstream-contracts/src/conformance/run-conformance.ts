import { type Clock, systemClock } from '@melmastoon/chassis/clock'
import { UPSTREAMS, type UpstreamName } from '../contract.ts'
import { type CheckResult, type Report, runCheck } from './check.ts'
import { CONTRACTS } from './contracts.ts'
import { errorChecks } from './error-checks.ts'
import { runScripts } from './run-scripts.ts'
import type { StaffAccount } from './sign-in-staff.ts'
import type { Target } from './wire.ts'

export interface ConformanceOptions {
  readonly target: Target
  readonly upstreams?: readonly UpstreamName[]
  /** Scripts change data: they create tenants, and book and cancel rooms. */
  readonly withScripts?: boolean
  readonly cardToken?: string
  readonly staffAccount?: StaffAccount
  readonly clock?: Clock
  readonly onResult?: Report
}

/** Checks whether the servers at these addresses comply with the contracts. */
export async function runConformance(options: ConformanceOptions): Promise<CheckResult[]> {
  const { target, upstreams = UPSTREAMS, cardToken = 'tok_ok', staffAccount } = options
  const now = (options.clock ?? systemClock).now()
  const results: CheckResult[] = []
  const report: Report = (result) => {
    results.push(result)
    options.onResult?.(result)
  }
  for (const upstream of upstreams) {
    await target.authOf(upstream).ready()
    const checks = errorChecks(target, CONTRACTS[upstream], now)
    for (const check of checks) await runCheck(check, report)
  }
  if (options.withScripts ?? true) {
    await runScripts({ target, upstreams, now, cardToken, staffAccount, report })
  }
  return results
}
