import type { BenchWorld, Row } from './row.ts'
import { type PartResult, type RunPartOptions, runPart } from './run-part.ts'
import { stopWorkers } from './worker.ts'

export interface RowResult {
  readonly row: Row
  readonly parts: readonly PartResult[]
  /** Facts that did not hold, and errors. */
  readonly failures: readonly string[]
  readonly seconds: number
}

/** A failed row is reported; the others are still measured. */
export async function runRow(
  row: Row,
  world: BenchWorld,
  options: RunPartOptions,
): Promise<RowResult> {
  const startedAt = performance.now()
  const parts: PartResult[] = []
  const failures: string[] = []
  try {
    for (const part of await row.parts(world)) {
      const result = await runPart(part, options)
      parts.push(result)
      failures.push(...brokenFacts(result), ...emptyVariants(result))
    }
  } catch (error) {
    failures.push(describe(error))
  } finally {
    await stopWorkers()
  }
  return { row, parts, failures, seconds: (performance.now() - startedAt) / 1000 }
}

function brokenFacts({ part, samples }: PartResult): string[] {
  return (part.facts ?? [])
    .filter((fact) => !fact.holds(samples))
    .map((fact) => `not so: ${fact.text}`)
}

/** Every available variant has a number for each of its metrics. */
function emptyVariants({ part, samples, absent, failed }: PartResult): string[] {
  return part.variants.flatMap(({ name }) => {
    const reason = failed.get(name)
    if (reason !== undefined) return [`${part.title}, ${name}: ${reason}`]
    if (absent.has(name)) return []
    const [sample] = samples.get(name) ?? []
    const missing = part.metrics.filter(
      ({ key, optional = false }) => !optional && !Number.isFinite(sample?.[key]),
    )
    return missing.map(({ label }) => `${part.title}, ${name}: no ${label}`)
  })
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `: ${describe(error.cause)}`
  return `${error.message}${cause}`
}
