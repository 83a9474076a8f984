import type { CurrencyCode } from '@melmastoon/domain'
import type { DISPLAY_POLICIES } from '@melmastoon/upstream-contracts/offers'
import { convert, type FxRates, fxStateOf } from './engine/fx.ts'
import { type Micro, minorUnitOf } from './engine/micro.ts'
import { reduceFraction, scaleHalfEven } from './engine/scale.ts'

/** Clients must mark a price older than a minute as stale (D6). */
export const PRICE_VALID_MS = 60_000

export interface MicroMoney {
  amountMicro: string
  currency: CurrencyCode
}

export function microMoney(amount: Micro, currency: CurrencyCode): MicroMoney {
  return { amountMicro: amount.toString(), currency }
}

/** How amounts in the currency of a hotel are displayed in the requested currency. */
export interface Display {
  readonly policy: (typeof DISPLAY_POLICIES)[number]
  /** The currency of what is shown. */
  readonly currency: CurrencyCode
  /** Set when amounts are converted. */
  readonly fx: FxRates | null
  readonly isStale: boolean
  show(amount: Micro): MicroMoney
  /** The same from and in minor units, for comparing many prices. */
  showMinor(amountMinor: number): number
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
    currency: to,
    fx,
    isStale: state === 'stale',
    show: (amount) => microMoney(convert(fx, { amount, from: own, to }), to),
    showMinor: minorConverter(fx, own, to),
  }
}

/** As `convert`, for non-negative amounts in minor units. */
export function minorConverter(
  { rates }: Pick<FxRates, 'rates'>,
  from: CurrencyCode,
  to: CurrencyCode,
): (amountMinor: number) => number {
  const [numerator, denominator] = reduceFraction(
    (rates.get(to) ?? 1n) * minorUnitOf(from),
    (rates.get(from) ?? 1n) * minorUnitOf(to),
  )
  return (amountMinor) => scaleHalfEven(amountMinor, numerator, denominator)
}

function unconverted(currency: CurrencyCode, policy: Display['policy']): Display {
  return {
    policy,
    currency,
    fx: null,
    isStale: false,
    show: (amount) => microMoney(amount, currency),
    showMinor: (amountMinor) => amountMinor,
  }
}

/** Hotels of one page share few currencies. */
export function displaysIn(
  requested: CurrencyCode,
  { fx, nowMs }: Pick<DisplayRequest, 'fx' | 'nowMs'>,
): (own: CurrencyCode) => Display {
  const known = new Map<CurrencyCode, Display>()
  return (own) => {
    const display = known.get(own) ?? displayPrice({ own, requested, fx, nowMs })
    known.set(own, display)
    return display
  }
}

/** The members of a response that state which rates were used. */
export function describeFx({ fx, isStale }: Display) {
  return fx === null ? {} : { fxSnapshotId: fx.fxSnapshotId, fxStale: isStale }
}
