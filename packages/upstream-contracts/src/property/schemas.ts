import { type Static, Type } from 'typebox'
import {
  Geo,
  id,
  instant,
  isoDate,
  LocalizedString,
  locale,
  PictureSize,
  text,
} from '../schemas.ts'

export const PROPERTY_TYPES = ['hotel', 'guesthouse', 'hostel', 'apartment'] as const
export const ROOM_KINDS = ['king', 'twin', 'suite', 'family', 'dorm', 'apartment'] as const
export const PHOTO_CATEGORIES = ['exterior', 'courtyard', 'room', 'dining', 'view'] as const
export const BED_KINDS = ['king', 'queen', 'single', 'bunk', 'sofa'] as const

const clockTime = () => Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
const amenityCode = () => Type.String({ pattern: '^[a-z][a-z0-9-]{1,39}$' })

/** A place by its key, which searches use, and by its names for display. */
const Place = Type.Object({ key: text(80), name: LocalizedString })

const Address = Type.Object({
  line: text(),
  /** The same address in the local script, for taxi drivers. */
  nativeLine: text(),
  /** `line` in the languages of the platform. */
  localizedLine: Type.Optional(LocalizedString),
  neighbourhood: Type.Optional(text(80)),
  /** Of `neighbourhood`, which is its key. */
  neighbourhoodName: Type.Optional(LocalizedString),
  city: Place,
  region: Place,
  country: Type.String({ pattern: '^[A-Z]{2}$' }),
})

export const Amenity = Type.Object({ code: amenityCode(), name: LocalizedString })

export const Photo = Type.Object({
  photoId: id('pht'),
  url: text(500),
  alt: LocalizedString,
  isHero: Type.Boolean(),
  ...PictureSize,
  category: Type.Optional(Type.Enum([...PHOTO_CATEGORIES])),
})

export const Cancellation = Type.Object({
  kind: Type.Enum(['free', 'partial', 'none']),
  /** Before noon of the arrival day. */
  freeUntilHours: Type.Integer({ minimum: 0, maximum: 720 }),
  penaltyBasisPoints: Type.Integer({ minimum: 0, maximum: 10_000 }),
  text: LocalizedString,
})

export const HouseRule = Type.Object({ code: amenityCode(), text: LocalizedString })

/** What guests may have to show at the check-in. */
export const IDENTITY_DOCUMENTS = [
  'passport',
  'visa',
  'national_id',
  'driving_licence',
  'marriage_certificate',
] as const

const age = () => Type.Integer({ minimum: 0, maximum: 17 })

/** House policies for guests to read, with the facts that a client may decide by. */
export const PolicyDetails = Type.Object({
  children: Type.Object({
    text: LocalizedString,
    allowed: Type.Boolean(),
    /** Younger children are not accepted. */
    minAge: Type.Optional(age()),
    /** Children up to this age stay free in existing beds. */
    freeUntilAge: Type.Optional(age()),
  }),
  extraBeds: Type.Object({
    text: LocalizedString,
    /** Per room; 0 where there are none. */
    maxPerRoom: Type.Integer({ minimum: 0, maximum: 5 }),
    cribs: Type.Boolean(),
  }),
  pets: Type.Object({ text: LocalizedString, allowed: Type.Boolean() }),
  lateArrival: Type.Object({
    text: LocalizedString,
    /**
     * The end of the regular check-in, local time; absent where guests are received at any time.
     */
    latestCheckIn: Type.Optional(clockTime()),
    /** Guests who arrive later are received if they have announced it; otherwise they are not. */
    noticeRequired: Type.Boolean(),
  }),
  identityDocuments: Type.Object({
    text: LocalizedString,
    /** One of these, unless the text says otherwise. */
    accepted: Type.Array(Type.Enum([...IDENTITY_DOCUMENTS]), { minItems: 1, maxItems: 5 }),
  }),
})

export type PolicyDetails = Static<typeof PolicyDetails>

export const Policies = Type.Object({
  cancellation: Cancellation,
  checkInTime: clockTime(),
  checkOutTime: clockTime(),
  houseRules: Type.Array(HouseRule, { maxItems: 20 }),
  details: Type.Optional(PolicyDetails),
})

export const RoomType = Type.Object({
  roomTypeId: id('rmt'),
  kind: Type.Enum([...ROOM_KINDS]),
  name: LocalizedString,
  adultsMax: Type.Integer({ minimum: 1, maximum: 20 }),
  childrenMax: Type.Integer({ minimum: 0, maximum: 20 }),
  occupancyMax: Type.Integer({ minimum: 1, maximum: 40 }),
  sizeSqm: Type.Integer({ minimum: 4, maximum: 1_000 }),
  beds: Type.Array(
    Type.Object({
      kind: Type.Enum([...BED_KINDS]),
      count: Type.Integer({ minimum: 1, maximum: 20 }),
    }),
    { minItems: 1, maxItems: 5 },
  ),
  roomCount: Type.Integer({ minimum: 0 }),
  photos: Type.Array(Photo, { maxItems: 10 }),
})

export const REVIEW_ASPECTS = [
  'cleanliness',
  'staff',
  'location',
  'comfort',
  'value',
  'facilities',
] as const
export type ReviewAspect = (typeof REVIEW_ASPECTS)[number]
export const TRAVELLERS = ['solo', 'couple', 'family', 'friends', 'business'] as const

const Review = Type.Object({
  author: text(80),
  rating: Type.Number({ minimum: 0, maximum: 10 }),
  stayedIn: Type.String({ pattern: '^\\d{4}-\\d{2}$', description: 'Year and month' }),
  travellers: Type.Enum([...TRAVELLERS]),
  language: locale(),
  text: LocalizedString,
})

export type Review = Static<typeof Review>

export const Reviews = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  /** The mean rating per aspect, up to 10. */
  scores: Type.Array(
    Type.Object({ aspect: Type.Enum([...REVIEW_ASPECTS]), value: Type.Number() }),
    { maxItems: REVIEW_ASPECTS.length },
  ),
  /** The newest ones. */
  items: Type.Array(Review, { maxItems: 10 }),
})

export type Reviews = Static<typeof Reviews>

const Core = {
  propertyId: id('ppt'),
  tenantId: id('tnt'),
  slug: text(63),
  version: Type.Integer({ minimum: 1 }),
  name: LocalizedString,
  geo: Geo,
  timeZone: text(64),
  propertyType: Type.Enum([...PROPERTY_TYPES]),
  starRating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  guestRating: Type.Optional(
    Type.Object({ value: Type.Number(), count: Type.Integer({ minimum: 0 }) }),
  ),
  shariaCompliant: Type.Boolean(),
  openedOn: isoDate(),
}

export const PropertyDetail = Type.Object({
  ...Core,
  description: LocalizedString,
  address: Address,
  amenities: Type.Array(Amenity, { maxItems: 40 }),
  photos: Type.Array(Photo, { minItems: 1, maxItems: 20 }),
  policies: Policies,
  roomTypes: Type.Array(RoomType, { maxItems: 50 }),
  reviews: Type.Optional(Reviews),
  updatedAt: instant(),
})

export type PropertyDetail = Static<typeof PropertyDetail>

/** The fields that a card shows. */
export const PropertySummary = Type.Object({
  ...Core,
  neighbourhood: Type.Optional(text(80)),
  city: Place,
  country: Address.properties.country,
  hero: Photo,
  amenityCodes: Type.Array(amenityCode(), { maxItems: 40 }),
  cancellationKind: Cancellation.properties.kind,
  roomCount: Type.Integer({ minimum: 0 }),
})

export type PropertySummary = Static<typeof PropertySummary>

export const Room = Type.Object({
  roomId: id('rmu'),
  roomTypeId: id('rmt'),
  number: text(10),
  floor: Type.Integer({ minimum: -5, maximum: 200 }),
  status: Type.Enum(['active', 'out_of_order', 'out_of_service']),
})

/** What staff may change; omitted members stay unchanged. */
export const PropertyChange = Type.Object({
  name: Type.Optional(LocalizedString),
  description: Type.Optional(LocalizedString),
  amenityCodes: Type.Optional(Type.Array(amenityCode(), { maxItems: 40, uniqueItems: true })),
  policies: Type.Optional(Type.Partial(Policies)),
  /** The change is rejected when the current version differs. */
  expectedVersion: Type.Optional(Type.Integer({ minimum: 1 })),
})

export type PropertyChange = Static<typeof PropertyChange>
