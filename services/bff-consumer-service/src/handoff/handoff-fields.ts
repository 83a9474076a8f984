import { currency as currencyCode, id, instant, Stay } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { SearchBody } from '../search/search-schema.ts'

const { occupancy, locale, currency } = SearchBody.properties

export const HandoffParams = Type.Object({ tenantId: id('tnt'), propertyId: id('ppt') })

/**
 * Stay and guests as in a search; the path contains the destination. What the guest chose and the
 * price that was shown are signed as given: the hotel's site compares them with its own quote.
 */
export const HandoffBody = Type.Object({
  dates: Stay,
  occupancy,
  locale,
  currency,
  roomTypeId: Type.Optional(id('rmt')),
  ratePlanId: Type.Optional(id('rate')),
  digest: Type.Optional(
    Type.String({
      pattern: '^sha256:[0-9a-f]{64}$',
      description: 'The digest of the price quote that was shown.',
    }),
  ),
  shownPrice: Type.Optional(
    Type.Object(
      {
        amountMinor: Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 }),
        currency: currencyCode(),
      },
      { description: 'The price of the stay that was shown, in minor units.' },
    ),
  ),
})

export type HandoffBody = Static<typeof HandoffBody>

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
})

export type BookingHandoffVM = Static<typeof BookingHandoffVM>
