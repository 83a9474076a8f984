import type { Section } from '@melmastoon/bff/sections'
import type { PropertyId } from '@melmastoon/domain'
import { markSectionsStale } from '../derived-responses/read-derived.ts'

export interface TargetedPin {
  readonly propertyId: PropertyId
  /** Undefined where the hotel is not among the pins: its price is not requested then. */
  readonly section: Section | undefined
  /** The members of the pin as JSON, such as `"cheapestNightlyMinor":250000,…`. */
  readonly price: string | undefined
}

/** How one response differs from the cached map. */
export interface MapVariant {
  readonly isStale: boolean
  /** The prices of all pins are older than a minute (D6). */
  readonly arePricesStale?: boolean
  readonly target: TargetedPin | undefined
}

/**
 * Plain replacement is safe: each searched text contains a quotation mark, and those in names are
 * escaped. `pinPrices` precedes the pins.
 */
export function deriveMap(map: string, variant: MapVariant): string {
  const { isStale, arePricesStale = false, target } = variant
  const aged = arePricesStale ? map.replace('"isStale":false', '"isStale":true') : map
  const marked = isStale ? markSectionsStale(aged, ['listings']) : aged
  if (target === undefined) return marked
  const { propertyId, section, price } = target
  if (section === undefined)
    return marked.replace(',"truncated":', ',"targetMissing":true,"truncated":')
  const added = marked.replace('},"degraded":', `,"prices":${JSON.stringify(section)}},"degraded":`)
  const derived =
    section.status === 'fresh' ? added : added.replace('"degraded":false', '"degraded":true')
  return price === undefined ? derived : insertPrice(derived, propertyId, price)
}

/** Between `geo` and `brandColor`, as in the domain model. */
function insertPrice(map: string, propertyId: PropertyId, members: string): string {
  const pin = map.indexOf(pinText(propertyId))
  const at = map.indexOf('"brandColor"', pin)
  if (pin === -1 || at === -1) return map
  return `${map.slice(0, at)}${members},${map.slice(at)}`
}

export function hasPin(map: Buffer, propertyId: PropertyId): boolean {
  return map.includes(pinText(propertyId))
}

function pinText(propertyId: PropertyId): string {
  return `"propertyId":"${propertyId}"`
}
