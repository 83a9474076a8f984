import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('../../../docs/benchmarks.md', import.meta.url)
const BEGIN = '<!-- measured: begin -->'
const END = '<!-- measured: end -->'
const EMPTY = `# Benchmarks\n\n${BEGIN}\n${END}\n`

/** Results are written between two marks; the text around them is not changed. */
export function writeReport(measured: string): void {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : EMPTY
  writeFileSync(FILE, replaceMeasured(text, measured))
}

export function replaceMeasured(text: string, measured: string): string {
  const from = text.indexOf(BEGIN)
  const to = text.indexOf(END)
  if (from === -1 || to < from) throw new Error('the report has lost its marks')
  return `${text.slice(0, from)}${BEGIN}\n\n${measured}\n\n${text.slice(to)}`
}
