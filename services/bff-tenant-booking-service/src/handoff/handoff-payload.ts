import { MarketingAttribution } from '@melmastoon/events'
import type { HandoffCampaign, VerifiedHandoff } from '@melmastoon/security'
import { id, instant, named, Stay } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

const nullable = <const S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const count = (minimum: number) => Type.Integer({ minimum, maximum: 99 })
const currency = () => Type.String({ pattern: '^[A-Z]{3}$' })

/**
 * What the guest chose before arriving, to prefill the first page. Language and currency may be
 * ones that this site does not offer. Nothing here is a price: it is compared with a new quote.
 */
export const HandoffPayload = named(
  'HandoffPayload',
  Type.Object({
    propertyId: id('ppt'),
    stay: Stay,
    occupancy: Type.Object({
      adults: count(1),
      children: count(0),
      rooms: count(1),
      childrenAges: Type.Array(Type.Integer({ minimum: 0, maximum: 17 }), {
        maxItems: 99,
        description: 'Empty, or one age for each child.',
      }),
    }),
    currency: currency(),
    locale: Type.String({ maxLength: 35 }),
    campaign: nullable(MarketingAttribution),
    roomTypeId: nullable(id('rmt')),
    ratePlanId: nullable(id('rate')),
    digest: nullable(Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })),
    shownPrice: nullable(
      Type.Object({ amountMinor: Type.Integer({ minimum: 0 }), currency: currency() }),
    ),
  }),
)

export type HandoffPayload = Static<typeof HandoffPayload>

/** The same for the first presentation of a token and for a repeated one. */
export const HandoffArrivalVM = named(
  'HandoffArrival',
  Type.Object({
    handoffArrivalId: id('bha'),
    consumedAt: instant(),
    payload: HandoffPayload,
  }),
)

export type HandoffArrivalVM = Static<typeof HandoffArrivalVM>

export function payloadOf(handoff: VerifiedHandoff): HandoffPayload {
  const { propertyId, checkIn, checkOut, adults, children, rooms, currency, locale } = handoff
  const { shownPrice } = handoff.offer
  return {
    propertyId,
    stay: { checkIn, checkOut },
    occupancy: { adults, children, rooms, childrenAges: [...handoff.childrenAges] },
    currency,
    locale,
    campaign: campaignOf(handoff.campaign),
    ...handoff.offer,
    shownPrice: shownPrice === null ? null : { ...shownPrice },
  }
}

/** Null without a campaign; in the token the empty string means absent. */
function campaignOf({ source, medium, name }: HandoffCampaign): MarketingAttribution | null {
  if (source === '' && medium === '' && name === '') return null
  return {
    ...(source !== '' && { source }),
    ...(medium !== '' && { medium }),
    ...(name !== '' && { campaign: name }),
  }
}
