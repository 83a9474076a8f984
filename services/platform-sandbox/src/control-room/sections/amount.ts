import { type CurrencyCode, formatMoney, microToMinor } from '@melmastoon/domain'

/** The platform's wire form of money, for people. */
export function showAmount(amount: { amountMicro: string; currency: CurrencyCode }): string {
  return formatMoney(microToMinor(amount.amountMicro, amount.currency), 'en')
}
