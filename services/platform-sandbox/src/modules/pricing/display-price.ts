import type { CurrencyCode } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { convert, type FxRates, fxStateOf } from './engine/fx.ts'
import type { Micro } from './engine/micro.ts'

type Preview = OutputOf<typeof pricingContract.operations.preview>['previews'][number]

export interface MicroMoney {
  amountMicro: string
  currency: CurrencyCode
}

export function microMoney(amount: Micro, currency: CurrencyCode): MicroMoney {
  return { amountMicro: amount.toString(), currency }
}

/** How amounts in the currency of a hotel are displayed in the requested currency. */
export interface Display {
  readonly policy: NonNullable<Preview['currencyDisplayPolicy']>
  /** Set when amounts are converted. */
  readonly fx: FxRates | null
  readonly isStale: boolean
  show(amount: Micro): MicroMoney
}

export interface DisplayRequest {
  readonly own: CurrencyCode
  readonly requested: CurrencyCode
  readonly fx: FxRates | null
  readonly nowMs: number
}

/** Reads fail open: without valid exchange rates the currency of the hotel is shown (D22). */
export function displayPrice({ own, requested, fx, nowMs }: DisplayRequest): Display {
  if (own === requested) return unconverted(own, 'user-preferred')
  const state = fx === null ? 'expired' : fxStateOf(fx, nowMs)
  if (fx === null || state === 'expired' || !fx.rates.has(own)) return unconverted(own, 'tenant')
  const to = fx.rates.has(requested) ? requested : fx.base
  if (to === own) return unconverted(own, 'tenant')
  return {
    policy: to === requested ? 'user-preferred' : 'fallback',
    fx,
    isStale: state === 'stale',
    show: (amount) => microMoney(convert(fx, { amount, from: own, to }), to),
  }
}

function unconverted(currency: CurrencyCode, policy: Display['policy']): Display {
  return { policy, fx: null, isStale: false, show: (amount) => microMoney(amount, currency) }
}
