import type { IsoDate, Locale } from '@melmastoon/domain'
import type { Facets } from '@melmastoon/upstream-contracts/search'
import type { Static } from 'typebox'
import { neutralBrand } from '../brands/neutral-brand.ts'
import type { CardMemory } from '../cards/card-memory.ts'
import { joinBytes } from './join-bytes.ts'
import type { PageParts } from './judge-sections.ts'
import type { SearchPage } from './search-page.ts'

const BRAND = Buffer.from(',"brandPeek":')

export interface PageView {
  readonly cards: CardMemory
  readonly locale: Locale
  readonly region: string
  readonly now: Date
}

/** The page as JSON, put together from parts that are JSON already, most of them as bytes. */
export function writePage(
  { found, rates, brands }: PageParts,
  sections: SearchPage['sections'],
  { cards, locale, region, now }: PageView,
): Buffer {
  const view = { locale, region, today: now.toISOString().slice(0, 10) as IsoDate }
  const items: (string | Buffer)[] = []
  for (const hit of found.items) {
    const brandPeek = brands?.bytesByTenant.get(hit.tenantId) ?? JSON.stringify(neutralBrand(hit))
    const rate = rates?.byProperty.get(hit.propertyId)
    const end = rate === undefined ? '}' : `,"rateSnapshot":${rate}}`
    items.push(items.length === 0 ? '' : ',', cards.open(hit, view), BRAND, brandPeek, end)
  }
  const degraded = Object.values(sections).some(({ status }) => status !== 'fresh')
  const head = `"sections":${JSON.stringify(sections)},"degraded":${degraded},"total":${found.total}`
  const cursor =
    found.nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(found.nextCursor)}`
  const facets = found.facets === undefined ? '' : `,"facets":${writeFacets(found.facets)}`
  return joinBytes([`{${head}${cursor},"items":[`, ...items, `]${facets}}`])
}

/** Every member is named, as on the cards: what an upstream adds does not get through. */
function writeFacets(facets: Static<typeof Facets>): string {
  const { amenities, starRating, propertyType, neighbourhoods, cities } = facets
  return JSON.stringify({ amenities, starRating, propertyType, neighbourhoods, cities })
}
