import type { Goal, Role, Sample } from '../harness/row.ts'
import type { PartResult } from '../harness/run-part.ts'
import { isSame, median, pairedRatio, valuesOf } from '../harness/statistics.ts'

export interface Evaluation {
  readonly goal: Goal
  readonly measured: number | null
  readonly isMet: boolean | null
  readonly summary: string
  readonly columns: Readonly<Record<'limit' | 'floor' | 'us' | 'peer', number | null>>
}

export function evaluateGoal(goal: Goal, result: PartResult): Evaluation {
  const measured = measuredValue(goal, result)
  const columns = {
    limit: column(goal, result, 'limit'),
    floor: column(goal, result, 'floor'),
    us: column(goal, result, 'us'),
    peer: column(goal, result, 'peer'),
  }
  if (measured === null) {
    const names = [goal.variant, goal.against ?? '']
    const reason = names.map((name) => result.absent.get(name)).find((each) => each !== undefined)
    const summary = `not measured: ${reason ?? 'no numbers'}`
    return { goal, measured, isMet: null, summary, columns }
  }
  const excess = excessOf(goal, measured)
  return { goal, measured, isMet: excess <= 1, summary: summaryOf(excess, goal.exact), columns }
}

function measuredValue(goal: Goal, { samples }: PartResult): number | null {
  const own = samples.get(goal.variant)
  if (own === undefined) return null
  if (goal.against === undefined) return median(valuesOf(own, goal.metric))
  const other = samples.get(goal.against)
  return other === undefined ? null : pairedRatio(goal.metric, own, other)
}

/** The value relative to the bound; above 1 is a miss, for upper and lower bounds. */
function excessOf({ atMost, atLeast }: Goal, measured: number): number {
  if (atMost !== undefined) return measured / atMost
  return (atLeast ?? Number.NaN) / measured
}

/** Near the bound, noise decides; counts have no noise. */
function summaryOf(excess: number, exact = false): string {
  const summary = excess <= 1 ? 'met' : `missed by ${Math.round((excess - 1) * 100)} %`
  return isSame(excess) && !exact ? `${summary}, within the noise` : summary
}

function column(goal: Goal, result: PartResult, role: Role & keyof Evaluation['columns']) {
  const name = goal.columns?.[role] ?? result.part.variants.find((each) => each.role === role)?.name
  const samples: readonly Sample[] = name === undefined ? [] : (result.samples.get(name) ?? [])
  const values = valuesOf(samples, goal.metric)
  return values.length === 0 ? null : median(values)
}
