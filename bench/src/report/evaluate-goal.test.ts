import { describe, expect, it } from 'vitest'
import type { Goal, Part, Role, Sample } from '../harness/row.ts'
import type { PartResult } from '../harness/run-part.ts'
import { evaluateGoal } from './evaluate-goal.ts'

const variant = (name: string, role: Role) => ({
  name,
  role,
  setup: () => Promise.reject(new Error('not in this test')),
})
const part: Part = {
  title: 'part',
  metrics: [],
  rounds: 1,
  compare: 'cpuUs',
  variants: [variant('floor', 'floor'), variant('us', 'us'), variant('peer', 'peer')],
}
const goal: Goal = { text: '', metric: 'cpuUs', variant: 'us', against: 'floor', atMost: 1.35 }

function result(us: number, floor: number): PartResult {
  const samples = new Map<string, Sample[]>([
    ['us', [{ cpuUs: us }]],
    ['floor', [{ cpuUs: floor }]],
  ])
  return { part, samples, absent: new Map([['peer', 'not installed']]), failed: new Map() }
}

describe('evaluateGoal', () => {
  it('reports which goals are met and by how much others are missed', () => {
    expect(evaluateGoal(goal, result(11, 10))).toMatchObject({ isMet: true, summary: 'met' })
    expect(evaluateGoal(goal, result(13, 10)).summary).toBe('met, within the noise')
    expect(evaluateGoal({ ...goal, exact: true }, result(13, 10)).summary).toBe('met')
    expect(evaluateGoal(goal, result(27, 10))).toMatchObject({ summary: 'missed by 100 %' })
    expect(evaluateGoal(goal, result(14, 10)).summary).toBe('missed by 4 %, within the noise')
  })

  it('supports lower bounds', () => {
    const { atMost: _, ...rest } = goal
    const least = { ...rest, atLeast: 4 }
    expect(evaluateGoal(least, result(40, 10)).isMet).toBe(true)
    expect(evaluateGoal(least, result(20, 10)).summary).toBe('missed by 100 %')
  })

  it('has no result for a missing measurement', () => {
    const evaluated = evaluateGoal({ ...goal, against: 'peer' }, result(1, 1))
    expect(evaluated).toMatchObject({ isMet: null, summary: 'not measured: not installed' })
    expect(evaluated.columns).toEqual({ limit: null, floor: 1, us: 1, peer: null })
  })
})
