import type { IsoDate, Locale } from '@melmastoon/domain'
import type { Facets } from '@melmastoon/upstream-contracts/search'
import type { Static } from 'typebox'
import { neutralBrand } from '../brands/neutral-brand.ts'
import { writeCard } from '../cards/write-card.ts'
import type { PageParts } from './judge-sections.ts'
import type { SearchPage } from './search-page.ts'

export interface PageView {
  readonly locale: Locale
  readonly region: string
  readonly now: Date
}

/** The page as JSON text, put together from parts that are JSON already. */
export function writePage(
  { found, rates, brands }: PageParts,
  sections: SearchPage['sections'],
  { locale, region, now }: PageView,
): string {
  const view = { locale, region, today: now.toISOString().slice(0, 10) as IsoDate }
  const cards = found.items.map((hit) => {
    const brandPeek = brands?.byTenant.get(hit.tenantId) ?? JSON.stringify(neutralBrand(hit))
    return writeCard(hit, { brandPeek, rateSnapshot: rates?.byProperty.get(hit.propertyId) }, view)
  })
  const degraded = Object.values(sections).some(({ status }) => status !== 'fresh')
  const head = `"sections":${JSON.stringify(sections)},"degraded":${degraded},"total":${found.total}`
  const cursor =
    found.nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(found.nextCursor)}`
  const facets = found.facets === undefined ? '' : `,"facets":${writeFacets(found.facets)}`
  return `{${head}${cursor},"items":[${cards.join(',')}]${facets}}`
}

/** Every member is named, as on the cards: what an upstream adds does not get through. */
function writeFacets(facets: Static<typeof Facets>): string {
  const { amenities, starRating, propertyType, neighbourhoods, cities } = facets
  return JSON.stringify({ amenities, starRating, propertyType, neighbourhoods, cities })
}
