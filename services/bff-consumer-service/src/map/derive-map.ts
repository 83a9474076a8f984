import type { Section } from '@melmastoon/bff/sections'
import type { PropertyId } from '@melmastoon/domain'
import { markSectionsStale } from '../derived-responses/read-derived.ts'

export interface TargetedPin {
  readonly propertyId: PropertyId
  /** Undefined where the hotel is not among the pins: its price is not requested then. */
  readonly section: Section | undefined
  /** The members of the pin as JSON, such as `"cheapestNightlyMinor":250000,…`. */
  readonly price: string | undefined
  /** False where the price shown to all guests is gone. */
  readonly isBookable: boolean
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
  const { section, price } = target
  if (section === undefined)
    return marked.replace(',"truncated":', ',"targetMissing":true,"truncated":')
  const added = marked.replace('},"degraded":', `,"prices":${JSON.stringify(section)}},"degraded":`)
  const derived =
    section.status === 'fresh' ? added : added.replace('"degraded":false', '"degraded":true')
  return price === undefined ? derived : insertPrice(derived, { ...target, price })
}

/** Between `geo` and `brandColor`, as in the domain model; replaces the `availability` there. */
function insertPrice(map: string, target: TargetedPin & { readonly price: string }): string {
  const pin = map.indexOf(pinText(target.propertyId))
  const from = map.indexOf('}', pin) + 1
  const to = map.indexOf('"brandColor"', from)
  if (pin === -1 || from === 0 || to === -1) return map
  const rest = target.isBookable ? map.slice(to) : withoutShownPrice(map.slice(to))
  return `${map.slice(0, from)},${target.price},${rest}`
}

/** The text begins within a pin, whose last member it is. */
function withoutShownPrice(text: string): string {
  const end = text.indexOf(PIN_START)
  const pin = end === -1 ? text : text.slice(0, end)
  return pin.replace(SHOWN_PRICE, '') + text.slice(pin.length)
}

const PIN_START = '{"propertyId":'
const SHOWN_PRICE = /,"shownPrice":\{[^}]*\}/

export function hasPin(map: Buffer, propertyId: PropertyId): boolean {
  return map.includes(pinText(propertyId))
}

function pinText(propertyId: PropertyId): string {
  return `"propertyId":"${propertyId}"`
}
