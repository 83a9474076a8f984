import { escapeIdentifier } from 'pg'
import type { Statement } from './statement.ts'

const plainTexts = new WeakMap<TemplateStringsArray, string>()

/** Statement and fragment in one: it can be run, or put into another `sql` template. */
export class SqlFragment<R = unknown> implements Statement<R> {
  declare readonly row?: R
  readonly text: string
  readonly values: readonly unknown[]
  readonly #strings: readonly string[]
  readonly #parts: readonly unknown[]

  constructor(strings: readonly string[], parts: readonly unknown[], text?: string) {
    this.#strings = strings
    this.#parts = parts
    if (text === undefined) {
      const values: unknown[] = []
      this.text = this.#append(values)
      this.values = values
    } else {
      this.text = text
      this.values = parts
    }
  }

  #append(values: unknown[]): string {
    let text = this.#strings[0] ?? ''
    for (const [index, part] of this.#parts.entries()) {
      text += part instanceof SqlFragment ? part.#append(values) : `$${values.push(part)}`
      text += this.#strings[index + 1] ?? ''
    }
    return text
  }
}

/**
 * Every `${value}` becomes a numbered parameter, every `${sql`…`}` is spliced in with its own
 * parameters renumbered. Nothing is ever quoted into the text.
 */
export function sql<R = unknown>(
  strings: TemplateStringsArray,
  ...parts: readonly unknown[]
): SqlFragment<R> {
  for (const part of parts) {
    if (part instanceof SqlFragment) return new SqlFragment<R>(strings, parts)
  }
  return new SqlFragment<R>(strings, parts, plainText(strings))
}

/** One template has one text: the same string object also makes cache look-ups cheap. */
function plainText(strings: TemplateStringsArray): string {
  let text = plainTexts.get(strings)
  if (text === undefined) {
    text = strings.reduce((before, next, index) => `${before}$${index}${next}`)
    plainTexts.set(strings, text)
  }
  return text
}

/** SQL from our own code (a column list, `desc`). Never pass input of a client. */
export function rawSql(text: string): SqlFragment {
  return new SqlFragment([text], [])
}

export function identifier(...path: readonly string[]): SqlFragment {
  return rawSql(path.map(escapeIdentifier).join('.'))
}

export function joinSql(fragments: readonly SqlFragment[], separator = ', '): SqlFragment {
  if (fragments.length === 0) return rawSql('')
  const between = fragments.map((_, index) => (index === 0 ? '' : separator))
  return new SqlFragment([...between, ''], fragments)
}

/** For readiness checks: succeeds when the database responds. */
export function ping(): Statement<unknown> {
  return sql`select 1`
}
