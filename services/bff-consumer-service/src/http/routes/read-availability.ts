import { type App, sendCached } from '@melmastoon/chassis/http'
import { problem, validatePeriod } from '@melmastoon/domain'
import { id, isoDate } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { HotelAvailability, NIGHTS_MAX } from '../../availability/availability-view.ts'
import { readAvailability } from '../../availability/read-availability.ts'
import type { ConsumerContext } from '../../context.ts'
import { dropOwnHeaders } from '../public-document.ts'

const DEADLINE_MS = 2_000
const Query = Type.Object({
  from: isoDate(),
  to: Type.Unsafe<Static<ReturnType<typeof isoDate>>>(
    Type.String({ ...isoDate(), description: `Excluded; at most ${NIGHTS_MAX} nights later` }),
  ),
})
const schema = {
  params: Type.Object({ propertyId: id('ppt') }),
  querystring: Query,
  response: { 200: HotelAvailability },
}
/** Kept nowhere without asking us: rooms go, and hotels do. */
const CACHING = { cacheControl: 'public, no-cache' }

export function readAvailabilityRoute(app: App, ctx: ConsumerContext) {
  const config = { operation: 'consumer.availability.read', deadlineMs: DEADLINE_MS }
  const path = '/bff/consumer/v1/hotels/:propertyId/availability'
  app.get(path, { config, schema }, async (request, reply) => {
    const { deadline, trace, params, query } = request
    refuseOddPeriod(query, ctx.clock.now())
    const asked = { propertyId: params.propertyId, from: query.from, to: query.to }
    const { bytes, origin } = await readAvailability(ctx, asked, { deadline, trace })
    dropOwnHeaders(reply)
    sendCached(reply, bytes, { ...CACHING, servedFor: origin })
    return reply
  })
}

function refuseOddPeriod({ from, to }: Static<typeof Query>, now: Date): void {
  const rules = { firstAt: '/query/from', endAt: '/query/to', nightsMax: NIGHTS_MAX }
  const errors = validatePeriod({ first: from, end: to }, now, rules)
  if (errors.length > 0) throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
