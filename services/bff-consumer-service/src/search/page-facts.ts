import type { CachedBytes } from '@melmastoon/chassis/cache'

/** What a page is known to hold without opening it. It travels with the entry, as a header. */
export interface PageFacts {
  readonly total: number
  readonly items: number
  readonly priced: number
  /** From here on its prices are stale (D6); none, none ever. */
  readonly pricesStaleFromMs: number | null
}

export const FACTS_HEADER = 'x-search-page'
const NAMES = { total: 'total', items: 'items', priced: 'priced', until: 'prices-until-ms' }
const NOTHING: PageFacts = { total: 0, items: 0, priced: 0, pricesStaleFromMs: null }

/** A dictionary of RFC 9651: `total=214, items=20, priced=20, prices-until-ms=1763208000000`. */
export function writeFacts({ total, items, priced, pricesStaleFromMs }: PageFacts): string {
  const counts = `${NAMES.total}=${total}, ${NAMES.items}=${items}, ${NAMES.priced}=${priced}`
  return pricesStaleFromMs === null ? counts : `${counts}, ${NAMES.until}=${pricesStaleFromMs}`
}

/** Read once per entry: all answers from one share its headers. */
const known = new WeakMap<CachedBytes['headers'], PageFacts>()

export function factsOf({ headers }: Pick<CachedBytes, 'headers'>): PageFacts {
  const facts = known.get(headers) ?? readFacts(headers[FACTS_HEADER])
  known.set(headers, facts)
  return facts
}

function readFacts(header: string | undefined): PageFacts {
  if (header === undefined) return NOTHING
  const members = new Map(header.split(', ').map((member) => splitMember(member)))
  return {
    total: members.get(NAMES.total) ?? 0,
    items: members.get(NAMES.items) ?? 0,
    priced: members.get(NAMES.priced) ?? 0,
    pricesStaleFromMs: members.get(NAMES.until) ?? null,
  }
}

function splitMember(member: string): [string, number] {
  const [name = '', value = ''] = member.split('=', 2)
  return [name, Number(value)]
}
