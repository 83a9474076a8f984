import type { Locale } from '@melmastoon/domain'
import { messagesOf } from '@melmastoon/domain/messages'
import { PROPERTY_TYPES } from '@melmastoon/upstream-contracts/property'
import { AMENITY_CODES } from '@melmastoon/upstream-contracts/search'

/** The values that a filter accepts. */
export interface KnownValues {
  has(value: string): boolean
  /** In the language, from the message catalogue; undefined for other values. */
  labelOf(value: string, locale: Locale): string | undefined
}

export const AMENITY_VALUES = knownValues(AMENITY_CODES, 'labels.amenity')
export const PROPERTY_TYPE_VALUES = knownValues(PROPERTY_TYPES, 'labels.property_type')

function knownValues(list: readonly string[], area: string): KnownValues {
  const values: ReadonlySet<string> = new Set(list)
  return {
    has: (value) => values.has(value),
    labelOf(value, locale) {
      const messages: Readonly<Record<string, string>> = messagesOf(locale)
      return values.has(value) ? messages[`${area}.${value}`] : undefined
    },
  }
}

type Counts = Readonly<Record<string, number>>

/** Hotels may have values that no filter accepts: a search with one of them would be rejected. */
export function knownCounts(counts: Counts, known: KnownValues): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([value]) => known.has(value)))
}
