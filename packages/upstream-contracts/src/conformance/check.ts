/** The result of one conformance check. */
export interface CheckResult {
  readonly name: string
  readonly passed: boolean
  /** What was observed instead. */
  readonly observed?: string
}

export interface Check {
  readonly name: string
  /** Throws when the contract is violated. */
  readonly run: () => Promise<void>
}

export type Report = (result: CheckResult) => void

/** A violation of the contract by the server, worded for its developer. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation'
}

export async function runCheck({ name, run }: Check, report: Report): Promise<void> {
  try {
    await run()
    report({ name, passed: true })
  } catch (error) {
    report({
      name,
      passed: false,
      observed: error instanceof Error ? error.message : String(error),
    })
  }
}
