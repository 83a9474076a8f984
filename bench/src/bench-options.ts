import type { Growth, Row } from './harness/row.ts'

export interface BenchOptions {
  readonly rows: readonly string[]
  readonly short: boolean
  readonly growth: Growth
  /** Replaces the tables of docs/benchmarks.md after a complete run. */
  readonly write: boolean
}

type KnownRow = Pick<Row, 'id' | 'onlyFull'>

/** @throws TypeError with a message for the user. */
export function parseBenchOptions(
  args: readonly string[],
  known: readonly KnownRow[],
): BenchOptions {
  const { growth, rest } = takeGrowth(args)
  const flags = rest.filter((arg) => arg.startsWith('--'))
  const unknownFlag = flags.find((flag) => !['--short', '--write'].includes(flag))
  if (unknownFlag !== undefined) throw new TypeError(`There is no option ${unknownFlag}. ${USAGE}`)
  const short = flags.includes('--short')
  const names = rest.filter((arg) => !arg.startsWith('--')).map((arg) => arg.toUpperCase())
  const rows = chooseRows(names, known, short)
  const write = flags.includes('--write')
  if (write && (short || names.length > 0)) {
    throw new TypeError('--write needs a complete run: name no rows and omit --short.')
  }
  return { rows, short, growth, write }
}

const USAGE = 'Choose from --short, --write and --growth full.'

function takeGrowth(args: readonly string[]): { growth: Growth; rest: readonly string[] } {
  const at = args.indexOf('--growth')
  if (at === -1) return { growth: 'usual', rest: args }
  const growth = args[at + 1]
  if (growth !== 'usual' && growth !== 'full') {
    throw new TypeError('--growth is usual or full.')
  }
  return { growth, rest: args.toSpliced(at, 2) }
}

function chooseRows(names: readonly string[], known: readonly KnownRow[], short: boolean) {
  const ids = known.map(({ id }) => id)
  const unknown = names.find((name) => !ids.includes(name))
  if (unknown !== undefined) {
    throw new TypeError(`There is no row ${unknown}: choose from ${ids.join(', ')}.`)
  }
  if (names.length > 0) return ids.filter((id) => names.includes(id))
  return known.filter(({ onlyFull = false }) => !(short && onlyFull)).map(({ id }) => id)
}
