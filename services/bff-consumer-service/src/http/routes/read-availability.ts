import { readClientInfo } from '@melmastoon/bff/guests'
import { type App, sendCached } from '@melmastoon/chassis/http'
import { type PropertyId, throwIfInvalid, validatePeriod } from '@melmastoon/domain'
import { id, isoDate } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import {
  type AvailabilityRequest,
  HotelAvailability,
  NIGHTS_MAX,
  readAvailability,
} from '../../availability/read-availability.ts'
import type { ConsumerContext } from '../../context.ts'
import { NEUTRAL_QUERY } from '../preference-query.ts'
import { choosePublicDocument, dropOwnHeaders } from '../public-document.ts'

const DEADLINE_MS = 2_000
const Query = Type.Object({
  ...NEUTRAL_QUERY,
  from: isoDate(),
  to: Type.Unsafe<Static<ReturnType<typeof isoDate>>>(
    Type.String({
      ...isoDate(),
      description: `Exclusive; at most ${NIGHTS_MAX} nights after \`from\``,
    }),
  ),
})
const schema = {
  params: Type.Object({ propertyId: id('ppt') }),
  querystring: Query,
  response: { 200: HotelAvailability },
}
/** Caches must revalidate: rooms are sold, and hotels are withdrawn. */
export const AVAILABILITY_CACHING = { cacheControl: 'public, no-cache' }

/** What identifies a response; equal URLs share one. */
export interface AvailabilityInput {
  readonly params: { readonly propertyId: PropertyId }
  readonly query: Static<typeof Query>
}

export function readAvailabilityRoute(app: App, ctx: ConsumerContext) {
  const config = { operation: 'consumer.availability.read', deadlineMs: DEADLINE_MS }
  const path = '/bff/consumer/v1/hotels/:propertyId/availability'
  app.get(path, { config, schema }, async (request, reply) => {
    const { deadline, trace } = request
    choosePublicDocument(request.query, readClientInfo(request))
    const planned = planAvailability(request, ctx.clock.now())
    const { bytes, origin } = await readAvailability(ctx, planned, { deadline, trace })
    dropOwnHeaders(reply)
    sendCached(reply, bytes, { ...AVAILABILITY_CACHING, servedFor: origin })
    return reply
  })
}

/** @throws Problem VALIDATION_FAILED with a pointer to each invalid parameter. */
export function planAvailability(
  { params, query }: AvailabilityInput,
  now: Date,
): AvailabilityRequest {
  const { from, to } = query
  const rules = { firstAt: '/query/from', endAt: '/query/to', nightsMax: NIGHTS_MAX }
  throwIfInvalid(validatePeriod({ first: from, end: to }, now, rules))
  return { propertyId: params.propertyId, from, to }
}
