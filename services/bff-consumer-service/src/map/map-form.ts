import type { Section } from '@melmastoon/bff/sections'
import type { PropertyId } from '@melmastoon/domain'
import { ageText } from '../search/aged-form.ts'
import type { MapPinVM } from './map-view.ts'

export type PinPrice = Required<Pick<MapPinVM, 'cheapestNightlyMinor' | 'currency'>>

/** What became of the targeted pin. */
export interface Target {
  readonly propertyId: PropertyId
  /** Undefined where the hotel is not among the pins: nobody asked for its price then. */
  readonly section: Section | undefined
  readonly price: PinPrice | undefined
}

/** How a kept map differs in one answer from what is kept. */
export interface MapForm {
  readonly isStale: boolean
  readonly target: Target | undefined
}

/**
 * Plain replacement is safe: a map holds numbers, ids and colours, and no text of anybody's.
 */
export function formText(map: string, { isStale, target }: MapForm): string {
  const aged = isStale ? ageText(map, { prices: false, listings: true }) : map
  if (target === undefined) return aged
  const { propertyId, section, price } = target
  if (section === undefined) return aged.replace(',"pins":[', ',"targetMissing":true,"pins":[')
  const told = aged.replace('},"degraded":', `,"prices":${JSON.stringify(section)}},"degraded":`)
  const judged =
    section.status === 'fresh' ? told : told.replace('"degraded":false', '"degraded":true')
  return price === undefined ? judged : putPrice(judged, propertyId, price)
}

/** Between `geo` and `brandColor`, where the domain model has it. */
function putPrice(map: string, propertyId: PropertyId, price: PinPrice): string {
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
