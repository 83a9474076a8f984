import { type CurrencyCode, formatMoney, microToMinor } from '@melmastoon/domain'
import { type Html, html } from '../../page/html.ts'
import type { ControlRoom, Operator } from '../control-room.ts'
import type { View } from '../view.ts'

/** The context of a section: the control room, the selected view and the operator. */
export interface SectionContext {
  readonly room: ControlRoom
  readonly view: View
  readonly operator: Operator
}

/** A section of the page, with the data it reads. */
export interface Section {
  readonly id: string
  readonly title: string
  show(context: SectionContext): Promise<Html>
}

/** Formats an amount of the wire format for display. */
export function showAmount(amount: { amountMicro: string; currency: CurrencyCode }): string {
  return formatMoney(microToMinor(amount.amountMicro, amount.currency), 'en')
}

/** In UTC, to the second. */
export function time(instant: Date | string): Html {
  const text = typeof instant === 'string' ? instant : instant.toISOString()
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`
}

/** Text in addition to colour, for accessibility. */
export function badge(tone: 'good' | 'bad' | 'wait' | 'plain', word: string): Html {
  return html`<span class="badge ${tone}">${word}</span>`
}
