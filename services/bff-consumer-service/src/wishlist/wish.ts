import { Section } from '@melmastoon/bff/sections'
import type { GuestSessionId, PropertyId } from '@melmastoon/domain'
import { id, instant } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { CardSections, ListingCardVM } from '../cards/listing-card.ts'
import { WISHLIST_SOURCES } from '../events/wishlist-events.ts'
import { WISHLIST_MAX } from '../sessions/guest-session.ts'

export type WishSource = (typeof WISHLIST_SOURCES)[number]

/**
 * Control characters except the line feed, line separators, bidirectional controls and unpaired
 * surrogates. The zero-width joiners of Pashto and of emoji are allowed.
 */
const UNSAFE =
  '\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029' +
  '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff\\ud800-\\udfff'

/** Counted in code points, as Postgres and JSON Schema both do. */
const note = () => Type.String({ maxLength: 280, pattern: `^[^${UNSAFE}]*$` })
const source = () => Type.Enum([...WISHLIST_SOURCES])

export const WishBody = Type.Object({
  propertyId: id('ppt'),
  source: source(),
  note: Type.Optional(
    Type.Unsafe<string>({
      ...note(),
      description: 'Replaces the previous note; a blank one deletes it',
    }),
  ),
})

/** Domain model §2.3. */
const Wish = Type.Object({
  wishlistId: id('wsh'),
  propertyId: id('ppt'),
  tenantId: id('tnt'),
  addedAt: instant(),
  source: source(),
  note: Type.Optional(note()),
})

export type Wish = Static<typeof Wish>

export const WishVM = Type.Object({
  ...Wish.properties,
  size: Type.Integer({
    minimum: 1,
    maximum: WISHLIST_MAX,
    description: 'The number of wishes now',
  }),
})

export type WishVM = Static<typeof WishVM>

/** Source and note are only in the database, which may be unavailable. */
const KNOWN = {
  wishlistId: id('wsh'),
  addedAt: instant(),
  source: Type.Optional(source()),
  note: Type.Optional(note()),
}

const WishlistItemVM = Type.Object({ ...KNOWN, card: ListingCardVM })

/** A wish for a hotel that has no card now; it can be removed like any other wish. */
const UnavailableWishVM = Type.Object({
  ...KNOWN,
  propertyId: id('ppt'),
  reason: Type.Enum(['off-sale', 'not-loaded']),
})

export type UnavailableWishVM = Static<typeof UnavailableWishVM>

export const WishlistVM = Type.Object({
  size: Type.Integer({ minimum: 0, maximum: WISHLIST_MAX }),
  sections: Type.Object({ wishes: Section, ...CardSections.properties }),
  degraded: Type.Boolean({ description: 'At least one section is not fresh' }),
  items: Type.Array(WishlistItemVM, { maxItems: WISHLIST_MAX, description: 'Newest first' }),
  unavailable: Type.Array(UnavailableWishVM, { maxItems: WISHLIST_MAX }),
})

export type WishlistVM = Static<typeof WishlistVM>

/** Identifies a wish. */
export interface WishKey {
  readonly guestSessionId: GuestSessionId
  readonly propertyId: PropertyId
}

export interface NewWish extends WishKey, Pick<Wish, 'wishlistId' | 'tenantId' | 'source'> {
  readonly note: string | undefined
}
