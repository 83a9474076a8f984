/** Escaped markup. Created only by `html`. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

/** A template value; `null`, `undefined` and `false` render nothing. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/**
 * Every `${value}` is escaped text, also in quoted attributes (quotes are mandatory); `${html`…`}`
 * and lists of it are markup. Not for the content of `script`, `style` or `on…` attributes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = strings[0] ?? ''
  for (const [index, value] of values.entries()) {
    markup += render(value) + (strings[index + 1] ?? '')
  }
  return new Html(markup)
}

function render(value: HtmlValue): string {
  if (value instanceof Html) return value.toString()
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'object') return value.map(render).join('')
  return String(value).replace(/[&<>"'`]/g, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `&#${character.charCodeAt(0)};`
}
