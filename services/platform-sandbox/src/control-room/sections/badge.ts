import { type Html, html } from '../../page/html.ts'

/** Never by colour alone: the word says it too. */
export function badge(tone: 'good' | 'bad' | 'wait' | 'plain', word: string): Html {
  return html`<span class="badge ${tone}">${word}</span>`
}
