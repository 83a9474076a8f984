import { NEUTRAL_COLOR } from '../brands/neutral-brand.ts'
import type { Brands } from '../brands/read-brands.ts'
import type { BrandPeekVM } from '../cards/listing-card.ts'
import type { FoundPins } from './compose-map.ts'
import type { MapPinVM, SearchMap } from './map-view.ts'

/**
 * The map as JSON text. The forms of it that answers are sent in rely on this order of members,
 * and on there being no free text in it.
 */
export function writeMap({ total, items }: FoundPins, { byTenant, status, ageMs }: Brands): string {
  const sections: SearchMap['sections'] = {
    listings: { status: 'fresh', ageMs: 0 },
    brands: { status, ageMs: Math.round(ageMs) },
  }
  const map: SearchMap = {
    sections,
    degraded: status !== 'fresh',
    total,
    truncated: total > items.length,
    pins: items.map(({ propertyId, tenantId, geo }): MapPinVM => {
      const { lat, lng } = geo
      return { propertyId, geo: { lat, lng }, brandColor: colorOf(byTenant.get(tenantId)) }
    }),
  }
  return JSON.stringify(map)
}

function colorOf(peek: string | undefined): string {
  return peek === undefined ? NEUTRAL_COLOR : (JSON.parse(peek) as BrandPeekVM).primaryColor
}
