import { id, instant, Stay } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { SearchBody } from '../search/search-schema.ts'

const { occupancy, locale, currency } = SearchBody.properties

export const HandoffParams = Type.Object({ tenantId: id('tnt'), propertyId: id('ppt') })

/** Stay and guests as in a search; the path contains the destination. */
export const HandoffBody = Type.Object({ dates: Stay, occupancy, locale, currency })

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

export const ConsumeParams = Type.Object({ id: id('bhd') })

export const ConsumeBody = Type.Object({
  tenantId: id('tnt'),
  arrivalId: id('bha'),
  consumedByBffInstance: Type.String({ pattern: '^[\\w.:-]{1,128}$' }),
})

export const ConsumedHandoffVM = Type.Object({
  handoffId: id('bhd'),
  arrivalId: id('bha'),
  consumedAt: instant(),
})

export type ConsumedHandoffVM = Static<typeof ConsumedHandoffVM>
