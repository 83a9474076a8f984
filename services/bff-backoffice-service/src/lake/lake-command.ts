import type { Setting } from '@melmastoon/chassis/config'
import { type Env, loadConfig } from '@melmastoon/chassis/config'
import { LAKE_TABLES } from './lake-tables.ts'
import { type LakeRows, queryLake } from './query-lake.ts'

const USAGE = `lake "<select>"   reads the audit lake, for example
  lake "select action, count(*) from operator_activity where month = '2026-11' group by all"
tables: ${LAKE_TABLES.map(({ name }) => name).join(', ')}
Only finished days (UTC) are exported, every night: the lake is empty on the first day.`
const HELP: ReadonlySet<string> = new Set(['--help', '-h', 'help'])
const EXIT_USAGE = 2

type Print = (line: string) => void

/** For operators and auditors. */
export function createLakeCommand(folder: Setting<string>) {
  return async (
    words: readonly string[],
    env: Env,
    print: Print = (line) => process.stdout.write(`${line}\n`),
  ): Promise<number> => {
    const [query = '', ...more] = words
    const isHelp = HELP.has(query) && more.length === 0
    if (isHelp || query.trim() === '' || more.length > 0) {
      print(USAGE)
      return isHelp ? 0 : EXIT_USAGE
    }
    const { root } = loadConfig(env, { root: folder })
    try {
      for (const line of formatRows(await queryLake(root, query))) print(line)
      return 0
    } catch (error) {
      if (!(error instanceof Error)) throw error
      print(error.message)
      return 1
    }
  }
}

function formatRows({ columns, rows }: LakeRows): string[] {
  const cells = [columns, ...rows.map((row) => row.map(textOf))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  return cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
