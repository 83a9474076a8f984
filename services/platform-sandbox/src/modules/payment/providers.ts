import type { PaymentMethod } from '@melmastoon/upstream-contracts/payment'

/** Names of the simulated providers; those of mobile money operate in one country each. */
const CARD = 'adyen-test'
const CASH = 'cash'
const MOBILE_MONEY: Readonly<Record<string, string>> = {
  AF: 'hesabpay-test',
  PK: 'easypaisa-test',
  IR: 'shaparak-test',
}
const MOBILE_MONEY_ELSEWHERE = 'mobilemoney-test'

/** A hotel has one provider per method. */
export function providerOf(method: PaymentMethod, country: string): string {
  if (method === 'card') return CARD
  if (method === 'cash_on_arrival') return CASH
  return MOBILE_MONEY[country] ?? MOBILE_MONEY_ELSEWHERE
}
