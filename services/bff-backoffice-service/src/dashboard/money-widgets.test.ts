import type { CurrencyCode } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { byBalance } from './money-widgets.ts'

const folio = (amountMicro: string, currency: CurrencyCode) => ({
  balance: { amountMicro, currency },
})

it('orders balances by amount within a currency only', () => {
  const folios = [folio('5', 'USD'), folio('900', 'AFN'), folio('7', 'USD'), folio('80', 'AFN')]
  const shown = folios.toSorted(byBalance).map(({ balance }) => balance)
  expect(shown.map(({ amountMicro, currency }) => `${amountMicro} ${currency}`)).toEqual([
    '900 AFN',
    '80 AFN',
    '7 USD',
    '5 USD',
  ])
})
