import type { Trigger } from './triggers.ts'

const INTRODUCTION = `# What sets the sandbox off

Beside the buttons of the control room, a single call can ask the
[platform sandbox](../services/platform-sandbox) for trouble, with a header or with a value that is
known for it. A header that names no trouble at all is ignored; one that is misspelt (\`slow=soon\`)
is refused. The control room shows the same table.
`

/** The table as a page of the documentation. */
export function renderTriggers(triggers: readonly Trigger[]): string {
  const rows = triggers.map(({ value, where, does }) => [`\`${value}\``, where, does])
  const table = [['Trigger', 'Where', 'What it does'], ...rows]
  const widths = [0, 1, 2].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = table
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [INTRODUCTION, line(head), rule, ...body.map(line), ''].join('\n')
}
