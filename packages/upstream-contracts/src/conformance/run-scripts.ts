import type { UpstreamName } from '../contract.ts'
import { type CheckResult, ContractViolation, type Report } from './check.ts'
import { createClients, type ScriptContext } from './clients.ts'
import { CONTRACTS } from './contracts.ts'
import { findTestHotel, type TestHotel } from './find-test-hotel.ts'
import { SCRIPTS } from './scripts/index.ts'
import { demoAccount, type StaffAccount } from './sign-in-staff.ts'
import type { Target } from './wire.ts'

export interface ScriptOptions {
  readonly target: Target
  readonly upstreams: readonly UpstreamName[]
  readonly now: Date
  readonly cardToken: string
  /** Default: a demo account of the sandbox. */
  readonly staffAccount?: StaffAccount | undefined
  readonly report: Report
}

/** One result per operation: passed when there was at least one call and all calls complied. */
export async function runScripts(options: ScriptOptions): Promise<void> {
  const failures = new Map<string, string | null>()
  const clients = createClients(options.target, {
    onCall(operation, failure) {
      const known = failures.get(operation) ?? null
      failures.set(operation, known ?? (failure === null ? null : messageOf(failure)))
    },
  })
  let testHotel: Promise<TestHotel> | undefined
  const context: ScriptContext = {
    clients,
    cardToken: options.cardToken,
    staffAccount: () => options.staffAccount ?? demoAccount(options.target.baseUrlOf('iam')),
    testHotel() {
      testHotel ??= findTestHotel(clients, options.now)
      return testHotel
    },
  }
  for (const script of SCRIPTS.filter(({ upstream }) => options.upstreams.includes(upstream))) {
    const ended = await script.run(context).then(() => undefined, messageOf)
    for (const name of Object.keys(CONTRACTS[script.upstream].operations)) {
      const operation = `${script.upstream}.${name}`
      const failure = failures.get(operation)
      options.report(toResult(operation, failure === undefined ? unreached(ended) : failure))
    }
  }
}

function toResult(operation: string, failure: string | null): CheckResult {
  const name = `${operation} complies with the contract`
  return failure === null ? { name, passed: true } : { name, passed: false, observed: failure }
}

function unreached(ended: string | undefined): string {
  return ended === undefined ? 'no script calls it' : `not reached: ${ended}`
}

function messageOf(error: unknown): string {
  if (error instanceof ContractViolation) return error.message
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
