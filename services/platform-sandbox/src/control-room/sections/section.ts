import { type CurrencyCode, formatMoney, microToMinor } from '@melmastoon/domain'
import { type Html, html } from '../../page/html.ts'
import type { ControlRoom, Operator } from '../control-room.ts'
import type { View } from '../view.ts'

/** What there is to see, what of it is requested, and who looks. */
export interface Glance {
  readonly room: ControlRoom
  readonly view: View
  readonly operator: Operator
}

/** A part of the page that reads what it shows. */
export interface Section {
  readonly id: string
  readonly title: string
  show(glance: Glance): Promise<Html>
}

/** The platform's wire form of money, for people. */
export function showAmount(amount: { amountMicro: string; currency: CurrencyCode }): string {
  return formatMoney(microToMinor(amount.amountMicro, amount.currency), 'en')
}

/** In UTC, to the second. */
export function time(instant: Date | string): Html {
  const text = typeof instant === 'string' ? instant : instant.toISOString()
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`
}

/** Never by colour alone: the word says it too. */
export function badge(tone: 'good' | 'bad' | 'wait' | 'plain', word: string): Html {
  return html`<span class="badge ${tone}">${word}</span>`
}
