/** Markup that needs no escaping any more. Made by `html` alone. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

/** What stands in a template; nothing, `null` and `false` show nothing. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/**
 * Every `${value}` is text, also between the quotes of an attribute, which are never left out;
 * `${html`…`}` and lists of it are markup. Not for the inside of `script`, `style` or `on…`.
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
