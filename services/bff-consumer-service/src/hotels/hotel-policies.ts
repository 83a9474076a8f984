import { type Locale, textFor } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import {
  type PolicyDetails,
  PolicyDetails as PolicyDetailsSchema,
  type PropertyDetail,
} from '@melmastoon/upstream-contracts/property'
import { type Static, Type } from 'typebox'

const { children, extraBeds, pets, lateArrival, identityDocuments } = PolicyDetailsSchema.properties
const text = () => Type.String({ description: 'In the language of the response' })

/** Texts for guests to read, with the facts that a client may decide by. */
const PolicyDetailsVM = named(
  'PolicyDetails',
  Type.Object({
    children: Type.Object({
      text: text(),
      allowed: children.properties.allowed,
      minAge: children.properties.minAge,
      freeUntilAge: children.properties.freeUntilAge,
    }),
    extraBeds: Type.Object({
      text: text(),
      maxPerRoom: extraBeds.properties.maxPerRoom,
      cribs: extraBeds.properties.cribs,
    }),
    pets: Type.Object({ text: text(), allowed: pets.properties.allowed }),
    lateArrival: Type.Object({
      text: text(),
      latestCheckIn: lateArrival.properties.latestCheckIn,
      noticeRequired: lateArrival.properties.noticeRequired,
    }),
    identityDocuments: Type.Object({
      text: text(),
      accepted: identityDocuments.properties.accepted,
    }),
  }),
)

/** The first three members are those of the domain model §4.2. */
export const HotelPoliciesVM = named(
  'HotelPolicies',
  Type.Object({
    cancellation: Type.String({
      description:
        'Of the most flexible rate of the hotel; the terms of each price are in its offer',
    }),
    checkIn: Type.String({ description: 'From this local time on, HH:MM' }),
    checkOut: Type.String({ description: 'Until this local time, HH:MM' }),
    houseRules: Type.Optional(
      Type.Array(Type.Object({ code: Type.String(), text: text() }), { maxItems: 20 }),
    ),
    details: Type.Optional(PolicyDetailsVM),
  }),
)

export type HotelPoliciesVM = Static<typeof HotelPoliciesVM>

/** Every member is named: undeclared members of an upstream response are dropped. */
export function policiesIn(policies: PropertyDetail['policies'], locale: Locale): HotelPoliciesVM {
  const { cancellation, checkInTime, checkOutTime, houseRules, details } = policies
  return {
    cancellation: textFor(cancellation.text, locale),
    checkIn: checkInTime,
    checkOut: checkOutTime,
    houseRules: houseRules.map((rule) => ({ code: rule.code, text: textFor(rule.text, locale) })),
    ...(details && { details: detailsIn(details, locale) }),
  }
}

function detailsIn(details: PolicyDetails, locale: Locale): Static<typeof PolicyDetailsVM> {
  const { children, extraBeds, pets, lateArrival, identityDocuments } = details
  const { minAge, freeUntilAge } = children
  const { latestCheckIn, noticeRequired } = lateArrival
  return {
    children: {
      text: textFor(children.text, locale),
      allowed: children.allowed,
      ...(minAge !== undefined && { minAge }),
      ...(freeUntilAge !== undefined && { freeUntilAge }),
    },
    extraBeds: {
      text: textFor(extraBeds.text, locale),
      maxPerRoom: extraBeds.maxPerRoom,
      cribs: extraBeds.cribs,
    },
    pets: { text: textFor(pets.text, locale), allowed: pets.allowed },
    lateArrival: {
      text: textFor(lateArrival.text, locale),
      ...(latestCheckIn !== undefined && { latestCheckIn }),
      noticeRequired,
    },
    identityDocuments: {
      text: textFor(identityDocuments.text, locale),
      accepted: [...identityDocuments.accepted],
    },
  }
}
