import type { Trigger } from './triggers.ts'

const INTRODUCTION = `# Sandbox triggers

Faults can be set in the control room for all calls. A single call to the
[platform sandbox](../services/platform-sandbox) can also trigger a scenario, with a header or with
one of the values below. A header with an unknown name is ignored; a fault with an invalid value
(\`slow=soon\`) is rejected. The control room shows the same table.
`

/** The table as a documentation page. */
export function renderTriggers(triggers: readonly Trigger[]): string {
  const rows = triggers.map(({ value, where, does }) => [`\`${value}\``, where, does])
  const table = [['Trigger', 'Where', 'Effect'], ...rows]
  const widths = [0, 1, 2].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = table
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [INTRODUCTION, line(head), rule, ...body.map(line), ''].join('\n')
}
