import { escapeIdentifier } from 'pg'
import type { Statement } from './statement.ts'

const plainTexts = new WeakMap<TemplateStringsArray, string>()

interface FragmentOptions {
  /** Only if no part is a fragment. */
  text?: string
  announces?: readonly string[]
}

const NOTHING: readonly string[] = []

/** Statement and fragment in one: it can be run, or put into another `sql` template. */
export class SqlFragment<R = unknown> implements Statement<R> {
  declare readonly row?: R
  readonly text: string
  readonly values: readonly unknown[]
  readonly announces: readonly string[]
  readonly #strings: readonly string[]
  readonly #parts: readonly unknown[]

  constructor(
    strings: readonly string[],
    parts: readonly unknown[],
    options: FragmentOptions = {},
  ) {
    this.#strings = strings
    this.#parts = parts
    const { text } = options
    this.announces = options.announces ?? (text === undefined ? topicsOf(parts) : NOTHING)
    if (text === undefined) {
      const values: unknown[] = []
      this.text = this.#append(values)
      this.values = values
    } else {
      this.text = text
      this.values = parts
    }
  }

  /** The same statement: when its transaction commits, workers of the topic are woken. */
  announcing(topic: string): SqlFragment<R> {
    const announces = [...this.announces, topic]
    return new SqlFragment<R>(this.#strings, this.#parts, { announces })
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

/** What the fragments in a statement announce, the statement announces. */
function topicsOf(parts: readonly unknown[]): readonly string[] {
  let topics = NOTHING
  for (const part of parts) {
    if (part instanceof SqlFragment && part.announces.length > 0) {
      topics = topics.length === 0 ? part.announces : [...topics, ...part.announces]
    }
  }
  return topics
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
  return new SqlFragment<R>(strings, parts, { text: plainText(strings) })
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
