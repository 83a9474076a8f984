import type { FxRates } from './engine/fx.ts'

/** The values of `X-Sandbox-Scenario` for pricing. */
export const PRICING_SCENARIOS = {
  'price-up': 'All nightly prices of this call are ten percent higher',
  'no-rate': 'No rate is available: the stay is rejected, unavailable or gone',
  'fx-stale': 'The exchange rates are older than a day',
  'fx-expired': 'The exchange rates are too old for a conversion',
} as const

/**
 * Promotion codes without a discount that determine the result of a later re-check of the quote.
 */
const MAGIC_CODES: Readonly<Record<string, keyof typeof PRICING_SCENARIOS>> = {
  'SANDBOX-PRICE-UP': 'price-up',
  'SANDBOX-GONE': 'no-rate',
}

export const PRICING_MAGIC_CODES = Object.keys(MAGIC_CODES)

const PRICE_UP = 'price-up'
/** Of a quote whose re-check has shown the higher price: the next quote of the stay has it. */
const PRICE_UP_SHOWN = 'price-up shown'

/** How quotes of a magic code remember that their re-check has shown another price. */
export const SHOWN_PRICE = { initial: PRICE_UP, shown: PRICE_UP_SHOWN } as const

/** The scenario of a stored quote. */
export function storedScenario(stored: string | null): string | undefined {
  return stored === PRICE_UP_SHOWN ? PRICE_UP : (stored ?? undefined)
}

const HOUR_MS = 3_600_000
const ORDINARY = 10_000
const TEN_PERCENT_UP = 11_000

export function magicScenario(promoCode: string | undefined): string | null {
  return promoCode !== undefined && Object.hasOwn(MAGIC_CODES, promoCode)
    ? (MAGIC_CODES[promoCode] ?? null)
    : null
}

export function marketBasisPoints(scenario: string | undefined): number {
  return scenario === PRICE_UP ? TEN_PERCENT_UP : ORDINARY
}

/** The same rates with an older timestamp. */
export function agedFx(fx: FxRates | null, scenario: string | undefined): FxRates | null {
  if (fx === null || (scenario !== 'fx-stale' && scenario !== 'fx-expired')) return fx
  const { takenAtMs, staleAfterMs, hardExpireAtMs } = fx
  const backMs = scenario === 'fx-stale' ? staleAfterMs - takenAtMs : hardExpireAtMs - takenAtMs
  const by = backMs + HOUR_MS
  return {
    ...fx,
    takenAtMs: takenAtMs - by,
    staleAfterMs: staleAfterMs - by,
    hardExpireAtMs: hardExpireAtMs - by,
  }
}
