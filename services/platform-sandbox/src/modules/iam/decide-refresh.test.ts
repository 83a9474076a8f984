import { describe, expect, it } from 'vitest'
import { decideRefresh, type FamilyPosition, REFRESH_RULES } from './decide-refresh.ts'

const rotatedAt = new Date('2026-11-16T08:00:00Z')
const FAMILY: FamilyPosition = { generation: 5, replacements: 1, parentReplacement: 2, rotatedAt }

function decide(
  [generation, replacement]: readonly [number, number],
  afterSeconds = 3 * 3_600,
  family: Partial<FamilyPosition> = {},
) {
  const now = new Date(rotatedAt.getTime() + afterSeconds * 1_000)
  const presented = { generation, replacement }
  return decideRefresh({ ...FAMILY, ...family }, presented, { now, rules: REFRESH_RULES })
}

describe('a refresh token', () => {
  it('that is current is exchanged, however old', () => {
    expect(decide([5, 1], 0)).toBe('rotate')
    expect(decide([5, 1], 29 * 86_400)).toBe('rotate')
  })

  it('STAFF-AUTH-11 whose successor was just issued receives the same successor', () => {
    expect(decide([4, 2], 0)).toBe('repeat')
    expect(decide([4, 2], 10)).toBe('repeat')
  })

  it('STAFF-AUTH-09 whose successor was never used receives another one, three times', () => {
    const after = (replacements: number) => decide([4, 2], 3 * 3_600, { replacements })
    expect([0, 1, 2, 3].map(after)).toEqual(['replace', 'replace', 'replace', 'reuse'])
  })

  it.each([
    ['of the generation before the last', [3, 0]],
    ['that was replaced before its successor was issued', [4, 0]],
    ['that was replaced since', [5, 0]],
    ['that was never issued', [6, 0]],
  ] as const)('STAFF-AUTH-10 %s is reuse', (_, position) => {
    expect(decide(position, 0)).toBe('reuse')
    expect(decide(position)).toBe('reuse')
  })
})
