import type { Part, Running, Sample, Variant } from './row.ts'

export interface PartResult {
  readonly part: Part
  readonly samples: ReadonlyMap<string, readonly Sample[]>
  /** Variants that are not available on this machine, with the reason. */
  readonly absent: ReadonlyMap<string, string>
  /** Variants that failed while they were measured; later rounds skip them. */
  readonly failed: ReadonlyMap<string, string>
}

export interface RunPartOptions {
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

/**
 * Starts every alternative, then measures them alternately, in a different order each round, so
 * that changes of the machine's speed affect all of them.
 */
export async function runPart(part: Part, options: RunPartOptions): Promise<PartResult> {
  const absent = new Map<string, string>()
  const failed = new Map<string, string>()
  const running = new Map<string, Running>()
  const samples = new Map<string, Sample[]>()
  try {
    const set = part.variants.map((variant) => prepare(variant, running, absent))
    for (const outcome of await Promise.allSettled(set)) {
      if (outcome.status === 'rejected') throw outcome.reason
    }
    for (let round = 0; round < part.rounds; round += 1) {
      for (const variant of rotated(part.variants, round)) {
        const target = running.get(variant.name)
        if (target === undefined || failed.has(variant.name)) continue
        options.signal.throwIfAborted()
        try {
          const sample = await target.measure()
          samples.set(variant.name, [...(samples.get(variant.name) ?? []), sample])
        } catch (error) {
          failed.set(variant.name, error instanceof Error ? error.message : String(error))
        }
      }
      options.say(`  ${part.title}: round ${round + 1} of ${part.rounds}`)
    }
  } finally {
    await Promise.allSettled([...running.values()].map((each) => each[Symbol.asyncDispose]()))
  }
  return { part, samples, absent, failed }
}

async function prepare(
  variant: Variant,
  running: Map<string, Running>,
  absent: Map<string, string>,
): Promise<void> {
  try {
    running.set(variant.name, await variant.setup())
  } catch (error) {
    if (!(error instanceof NotHere)) throw new Error(`${variant.name}: set-up`, { cause: error })
    absent.set(variant.name, error.message)
  }
}

/** An alternative that is not available on this machine; its line states why. */
export class NotHere extends Error {}

function rotated<T>(items: readonly T[], by: number): T[] {
  const at = by % Math.max(1, items.length)
  return [...items.slice(at), ...items.slice(0, at)]
}
