/** One promise of a contract, kept or not. */
export interface CheckResult {
  readonly name: string
  readonly isKept: boolean
  /** What was seen instead. */
  readonly seen?: string
}

export interface Check {
  readonly name: string
  /** Throws when the promise is not kept. */
  readonly run: () => Promise<void>
}

export type Report = (result: CheckResult) => void

/** What the other side did wrong, in words for whoever mends it. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise'
}

export async function runCheck({ name, run }: Check, report: Report): Promise<void> {
  try {
    await run()
    report({ name, isKept: true })
  } catch (error) {
    report({ name, isKept: false, seen: error instanceof Error ? error.message : String(error) })
  }
}
