import { currency as currencyCode, id, instant, Stay } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { SearchBody } from '../search/search-schema.ts'

const { occupancy, locale, currency } = SearchBody.properties

export const HandoffParams = Type.Object({ tenantId: id('tnt'), propertyId: id('ppt') })

const shownPrice = () =>
  Type.Object(
    {
      amountMinor: Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 }),
      currency: currencyCode(),
    },
    { description: 'The price of the stay that was shown, in minor units.' },
  )

const digest = () =>
  Type.String({
    pattern: '^sha256:[0-9a-f]{64}$',
    description: 'Of the offer that was shown: it covers the price and all of its terms.',
  })

/**
 * Stay and guests as in a search; the path contains the destination. The offer that the guest chose
 * and saw is signed as given: the hotel's site compares it with its own quote. What is absent is
 * filled from the cheapest offer that matches.
 */
export const HandoffBody = Type.Object({
  dates: Stay,
  occupancy,
  locale,
  currency,
  roomTypeId: Type.Optional(id('rmt')),
  ratePlanId: Type.Optional(id('rate')),
  digest: Type.Optional(digest()),
  shownPrice: Type.Optional(shownPrice()),
})

export type HandoffBody = Static<typeof HandoffBody>

const nullable = <const S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const BookingHandoffVM = Type.Object({
  handoffId: id('bhd'),
  redirectUrl: Type.String({
    description:
      'The booking page of the hotel’s own site. It contains the token: open it and do not store it.',
  }),
  expiresAt: instant(),
  ttlSeconds: Type.Integer({
    description: 'The lifetime of a new link; a replayed one expires at expiresAt.',
  }),
  offer: Type.Object(
    {
      roomTypeId: nullable(id('rmt')),
      ratePlanId: nullable(id('rate')),
      digest: nullable(digest()),
      shownPrice: nullable(shownPrice()),
    },
    { description: 'The offer as it is signed in the link; null where nothing is known.' },
  ),
})

export type BookingHandoffVM = Static<typeof BookingHandoffVM>
