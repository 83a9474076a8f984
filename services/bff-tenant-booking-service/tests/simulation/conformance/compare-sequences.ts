import fc from 'fast-check'
import { expect } from 'vitest'
import type { RunningSandbox } from './sandbox-subject.ts'
import { simulatedImplementation } from './simulated-subject.ts'
import { type Step, sequences, settledSequences } from './steps.ts'
import { Subject } from './subject.ts'
import { createWorld } from './world.ts'

export interface Comparison {
  /** How often each operation ended in which way, over all sequences. */
  readonly outcomes: Map<string, number>
  steps: number
}

/**
 * Sends random sequences to the sandbox and to the interpreter and compares every response, the
 * rooms held and sold, and the webhooks. Not compared: ids, times, texts for people, prices (both
 * use given quotes), and what depends on elapsed time other than expiry, such as the life of a key.
 */
export async function compareSequences(
  sandbox: RunningSandbox,
  { seed, runs, settledRuns }: { seed: number; runs: number; settledRuns: number },
): Promise<Comparison> {
  const comparison: Comparison = { outcomes: new Map(), steps: 0 }
  const compare = (steps: Step[]) => compareSequence(sandbox, steps, comparison)
  await fc.assert(fc.asyncProperty(sequences, compare), { seed, numRuns: runs })
  await fc.assert(fc.asyncProperty(settledSequences, compare), { seed, numRuns: settledRuns })
  return comparison
}

async function compareSequence(sandbox: RunningSandbox, steps: Step[], comparison: Comparison) {
  const nowMs = await sandbox.nowMs()
  const world = createWorld(await sandbox.createTenant(), nowMs)
  const real = new Subject(await sandbox.implementation(world), world)
  const simulated = new Subject(simulatedImplementation(world, nowMs), world)
  for (const step of steps) {
    const wanted = await real.perform(step)
    count(comparison, step, wanted)
    expect(await simulated.perform(step), JSON.stringify(step)).toEqual(wanted)
  }
  expect(await simulated.finalState()).toEqual(await real.finalState())
}

function count(comparison: Comparison, { kind }: Step, result: unknown): void {
  const { code = 'ok' } = result as { code?: string }
  const name = `${kind} ${code}`
  comparison.outcomes.set(name, (comparison.outcomes.get(name) ?? 0) + 1)
  comparison.steps += 1
}
