import type { Section } from '@melmastoon/bff/sections'
import type { PropertyId } from '@melmastoon/domain'
import { markSectionsStale } from '../derived-responses/read-derived.ts'
import type { MapPinVM } from './map-schema.ts'

export type PinPrice = Required<Pick<MapPinVM, 'cheapestNightlyMinor' | 'currency'>>

export interface TargetedPin {
  readonly propertyId: PropertyId
  /** Undefined where the hotel is not among the pins: its price is not requested then. */
  readonly section: Section | undefined
  readonly price: PinPrice | undefined
}

/** How one response differs from the cached map. */
export interface MapVariant {
  readonly isStale: boolean
  readonly target: TargetedPin | undefined
}

/** Plain replacement is safe: a map contains numbers, ids and colours, and no free text. */
export function deriveMap(map: string, { isStale, target }: MapVariant): string {
  const marked = isStale ? markSectionsStale(map, ['listings']) : map
  if (target === undefined) return marked
  const { propertyId, section, price } = target
  if (section === undefined) return marked.replace(',"pins":[', ',"targetMissing":true,"pins":[')
  const added = marked.replace('},"degraded":', `,"prices":${JSON.stringify(section)}},"degraded":`)
  const derived =
    section.status === 'fresh' ? added : added.replace('"degraded":false', '"degraded":true')
  return price === undefined ? derived : insertPrice(derived, propertyId, price)
}

/** Between `geo` and `brandColor`, as in the domain model. */
function insertPrice(map: string, propertyId: PropertyId, price: PinPrice): string {
  const pin = map.indexOf(pinText(propertyId))
  const at = map.indexOf('"brandColor"', pin)
  if (pin === -1 || at === -1) return map
  const { cheapestNightlyMinor, currency } = price
  const members = JSON.stringify({ cheapestNightlyMinor, currency }).slice(1, -1)
  return `${map.slice(0, at)}${members},${map.slice(at)}`
}

export function hasPin(map: Buffer, propertyId: PropertyId): boolean {
  return map.includes(pinText(propertyId))
}

function pinText(propertyId: PropertyId): string {
  return `"propertyId":"${propertyId}"`
}
