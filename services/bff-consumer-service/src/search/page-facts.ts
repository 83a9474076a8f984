import type { CachedBytes } from '@melmastoon/chassis/cache'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

const count = () => Type.Integer({ minimum: 0 })

/** What a page is known to hold without opening it. It is kept with the entry and not sent. */
const PageFacts = Type.Object({
  total: count(),
  items: count(),
  priced: count(),
  /** From here on its prices are stale (D6); without prices there is no such moment. */
  pricesStaleFromMs: Type.Union([Type.Number(), Type.Null()]),
})

export type PageFacts = Static<typeof PageFacts>

const known = Compile(PageFacts)
/** Prices of unknown age are not called fresh. */
const UNKNOWN: PageFacts = { total: 0, items: 0, priced: 0, pricesStaleFromMs: 0 }

export function factsOf({ facts }: Pick<CachedBytes, 'facts'>): PageFacts {
  return known.Check(facts) ? facts : UNKNOWN
}
