import type { CachedBytes } from '@melmastoon/chassis/cache'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** What prices are known to be without opening them; kept with the entry and not sent. */
const PriceFacts = Type.Object({
  capturedAtMs: Type.Number(),
  /** From here on they are stale (D6). */
  staleFromMs: Type.Number(),
  isComplete: Type.Boolean(),
  /** Snapshots by hotel as JSON, also of hotels that the body does not tell of. */
  rates: Type.String(),
  /** As JSON; null when it did not come. */
  calendar: Type.Union([Type.String(), Type.Null()]),
})

export type PriceFacts = Static<typeof PriceFacts>

const known = Compile(PriceFacts)
/** Prices of unknown age are not called fresh, and none is better than a wrong one. */
const UNKNOWN: PriceFacts = {
  capturedAtMs: 0,
  staleFromMs: 0,
  isComplete: false,
  rates: '{}',
  calendar: null,
}

export function priceFactsOf({ facts }: Pick<CachedBytes, 'facts'>): PriceFacts {
  return known.Check(facts) ? facts : UNKNOWN
}
