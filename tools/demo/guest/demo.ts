import { type CurrencyCode, formatMoney, type Locale, money } from '@melmastoon/domain'
import type { TimedSay } from '../shared/say.ts'
import type { ControlRoom } from './control-room.ts'

export const LOCALE: Locale = 'fa-AF'

export interface Demo extends TimedSay {
  readonly consumerUrl: string
  readonly bookingUrl: string
  readonly room: ControlRoom
  readonly today: Date
}

export function showAmount(amount: { amountMinor: number; currency: string }): string {
  return formatMoney(money(amount.amountMinor, amount.currency as CurrencyCode), LOCALE)
}
