import { describe, expect, it } from 'vitest'
import { parseBenchOptions } from './bench-options.ts'
import { replaceMeasured } from './report/write-report.ts'

const KNOWN = [{ id: 'A' }, { id: 'C' }, { id: 'D' }, { id: 'X', onlyFull: true }]
const USUAL = { short: false, growth: 'usual', write: false }

describe('npm run bench', () => {
  it('measures all rows, or the named ones in their usual order', () => {
    expect(parseBenchOptions([], KNOWN)).toEqual({ ...USUAL, rows: ['A', 'C', 'D', 'X'] })
    expect(parseBenchOptions(['c', 'A'], KNOWN)).toEqual({ ...USUAL, rows: ['A', 'C'] })
    expect(() => parseBenchOptions(['Z'], KNOWN)).toThrow(/no row Z/)
  })

  it('omits long rows from the short form, unless they are named', () => {
    expect(parseBenchOptions(['--short'], KNOWN).rows).toEqual(['A', 'C', 'D'])
    expect(parseBenchOptions(['--short', 'x'], KNOWN).rows).toEqual(['X'])
  })

  it('reads the size of growth rows', () => {
    expect(parseBenchOptions(['--growth', 'full', 'x'], KNOWN)).toMatchObject({
      growth: 'full',
      rows: ['X'],
    })
    expect(() => parseBenchOptions(['--growth', 'x'], KNOWN)).toThrow(/usual or full/)
    expect(() => parseBenchOptions(['--larger'], KNOWN)).toThrow(/no option --larger/)
  })

  it('writes the report of complete runs only', () => {
    expect(parseBenchOptions(['--write'], KNOWN).write).toBe(true)
    expect(() => parseBenchOptions(['--write', 'A'], KNOWN)).toThrow(/complete run/)
    expect(() => parseBenchOptions(['--write', '--short'], KNOWN)).toThrow(/complete run/)
  })

  it('replaces only measured rows in the report', () => {
    const text = 'before\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nafter\n'
    expect(replaceMeasured(text, 'new')).toBe(
      'before\n<!-- measured: begin -->\n\nnew\n\n<!-- measured: end -->\nafter\n',
    )
    expect(() => replaceMeasured('nothing', 'new')).toThrow(/marks/)
  })
})
