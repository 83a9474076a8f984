import { type Html, html } from '../../page/html.ts'

/** In UTC, to the second. */
export function time(instant: Date | string): Html {
  const text = typeof instant === 'string' ? instant : instant.toISOString()
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`
}
