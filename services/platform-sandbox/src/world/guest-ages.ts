import type { WorldProperty } from './world.ts'

/** Children pay from the first of these ages on, and more from the second. */
export const CHILD_PRICE_AGES = { reduced: 6, full: 12 } as const

const ADULTS_ONLY_AGE = 16

/** The age of the youngest guests accepted; null where all ages are. */
export function minGuestAgeOf({ propertyType }: WorldProperty): number | null {
  return propertyType === 'hostel' ? ADULTS_ONLY_AGE : null
}
