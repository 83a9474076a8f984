import { describe, expect, it } from 'vitest'
import { parseBenchOptions } from './bench-options.ts'
import { replaceMeasured } from './report/write-report.ts'

describe('npm run bench', () => {
  it('measures all rows, or the named ones in their usual order', () => {
    expect(parseBenchOptions([], ['A', 'C'])).toEqual({ rows: ['A', 'C'], short: false })
    expect(parseBenchOptions(['c', 'A', '--short'], ['A', 'C', 'D'])).toEqual({
      rows: ['A', 'C'],
      short: true,
    })
    expect(() => parseBenchOptions(['Z'], ['A'])).toThrow(/no row Z/)
  })

  it('replaces only measured rows in the report', () => {
    const text = 'before\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nafter\n'
    expect(replaceMeasured(text, 'new')).toBe(
      'before\n<!-- measured: begin -->\n\nnew\n\n<!-- measured: end -->\nafter\n',
    )
    expect(() => replaceMeasured('nothing', 'new')).toThrow(/marks/)
  })
})
