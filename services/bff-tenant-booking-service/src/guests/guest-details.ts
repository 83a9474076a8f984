import { type Static, Type } from 'typebox'

/**
 * Lengths as sent. They only bound the work: each field has its own limit, which is reported with
 * the reason. A body beyond these lengths cannot come from the form.
 */
const sent = (maxLength: number, description: string) => Type.String({ maxLength, description })
const region = (description: string) => Type.String({ pattern: '^[A-Z]{2}$', description })

/** What the form sends. */
export const GuestInput = Type.Object(
  {
    fullName: sent(500, 'As in the passport or identity card, in any script'),
    email: sent(500, 'International domain names are allowed'),
    phone: Type.Optional(sent(100, 'International, or national for `phoneRegion`')),
    phoneRegion: Type.Optional(
      region('ISO 3166 region of a national number; default: `country`, then that of the hotel'),
    ),
    country: Type.Optional(region('ISO 3166 country in which the guest lives')),
    arrivalTime: Type.Optional(sent(20, 'Local time of the hotel, `HH:MM`')),
    company: Type.Optional(sent(500, 'For the invoice')),
    specialRequests: Type.Optional(sent(8_000, 'For the hotel; at most 1,000 characters')),
    termsAccepted: Type.Optional(Type.Boolean({ description: 'Required; must be true' })),
  },
  { additionalProperties: false, title: 'GuestInput' },
)

export type GuestInput = Static<typeof GuestInput>

/** Validated and normalised. Personal data: stored sealed only, and never logged. */
export const GuestDetails = Type.Object({
  fullName: Type.String(),
  email: Type.String({ description: 'The domain in ASCII, lower case' }),
  phone: Type.Optional(Type.String({ description: 'E.164' })),
  country: Type.Optional(Type.String()),
  arrivalTime: Type.Optional(Type.String()),
  company: Type.Optional(Type.String()),
  specialRequests: Type.Optional(Type.String()),
  terms: Type.Object({
    version: Type.String({ description: 'The version of the terms that the guest accepted' }),
    acceptedAt: Type.String({ format: 'date-time' }),
  }),
})

export type GuestDetails = Static<typeof GuestDetails>

/** The members of a theme's flow configuration that concern the form. */
export interface GuestFlow {
  readonly optionalFields: readonly string[]
}

/** What decides, besides the input, whether the details are valid. */
export interface GuestRules {
  readonly flow: GuestFlow
  /** The country of the hotel: the region of national phone numbers without another one. */
  readonly country: string
  readonly termsVersion: string
  readonly now: Date
}
