import { readClientInfo } from '@melmastoon/bff/guests'
import { type App, sendCached } from '@melmastoon/chassis/http'
import { throwIfInvalid, validatePeriod } from '@melmastoon/domain'
import { id, isoDate } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import {
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
const CACHING = { cacheControl: 'public, no-cache' }

export function readAvailabilityRoute(app: App, ctx: ConsumerContext) {
  const config = { operation: 'consumer.availability.read', deadlineMs: DEADLINE_MS }
  const path = '/bff/consumer/v1/hotels/:propertyId/availability'
  app.get(path, { config, schema }, async (request, reply) => {
    const { deadline, trace, params, query } = request
    choosePublicDocument(query, readClientInfo(request))
    checkPeriod(query, ctx.clock.now())
    const requested = { propertyId: params.propertyId, from: query.from, to: query.to }
    const { bytes, origin } = await readAvailability(ctx, requested, { deadline, trace })
    dropOwnHeaders(reply)
    sendCached(reply, bytes, { ...CACHING, servedFor: origin })
    return reply
  })
}

function checkPeriod({ from, to }: Static<typeof Query>, now: Date): void {
  const rules = { firstAt: '/query/from', endAt: '/query/to', nightsMax: NIGHTS_MAX }
  throwIfInvalid(validatePeriod({ first: from, end: to }, now, rules))
}
