import { type ClientInfo, readClientInfo } from '@melmastoon/bff/guests'
import {
  type App,
  addHeader,
  eventCause,
  type SendCachedOptions,
  sendCached,
} from '@melmastoon/chassis/http'
import type { PropertyId } from '@melmastoon/domain'
import { id } from '@melmastoon/upstream-contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { HotelPage } from '../../hotels/hotel-detail.ts'
import { HotelQuery, planHotel } from '../../hotels/hotel-query.ts'
import { peekHotel, readHotel, type ServedHotel } from '../../hotels/read-hotel.ts'
import type { GuestSession } from '../../sessions/guest-session.ts'
import { queueView } from '../../views/record-view.ts'
import { choosePublicDocument, dropOwnHeaders, type PublicDocument } from '../public-document.ts'
import type { Hooks } from './index.ts'

/** For the whole response: the property, then prices and brands. */
export const HOTEL_DEADLINE_MS = 1_800
/** CDNs cache an incomplete page for a short time only. */
const INCOMPLETE = 'public, max-age=0, s-maxage=10'

const schema = {
  params: Type.Object({ propertyId: id('ppt') }),
  querystring: HotelQuery,
  response: { 200: HotelPage },
}

/** What identifies a hotel page; equal URLs share one. */
export interface HotelInput {
  readonly params: { readonly propertyId: PropertyId }
  readonly query: HotelQuery
}

/**
 * A public hotel page that shared caches may store (D5): it sets no cookie, and a cookie in the
 * request makes no difference. A page in memory is sent without a promise.
 */
export function getHotelRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = {
    operation: 'consumer.hotel.get',
    deadlineMs: HOTEL_DEADLINE_MS,
  } as const
  app.get('/bff/consumer/v1/hotels/:propertyId', { config, schema }, (request, reply) => {
    const { query } = request
    const client = readClientInfo(request)
    const document = choosePublicDocument(query, client)
    const { propertyId } = request.params
    const { preferences } = document
    const planned = planHotel({ propertyId, query, preferences }, ctx.clock.now())
    const respond = (served: ServedHotel) => {
      const lookup = session.lookupOf(request)
      const guest = lookup.kind === 'found' ? lookup.session : undefined
      recordHotelView(ctx, request, { served, guest, client, propertyId })
      send(reply, served, document)
    }
    const warm = peekHotel(ctx, planned)
    if (warm !== undefined) return respond(warm)
    const { deadline, trace } = request
    return readHotel(ctx, planned, { deadline, trace }).then(respond)
  })
}

function send(reply: FastifyReply, served: ServedHotel, document: PublicDocument): void {
  dropOwnHeaders(reply)
  addHeader(reply, 'content-language', document.preferences.locale)
  sendCached(reply, served.bytes, hotelCaching(served, document))
}

export function hotelCaching(
  { bytes, state, isIncomplete }: ServedHotel,
  { caching }: PublicDocument,
): SendCachedOptions {
  return {
    ...caching,
    ...(isIncomplete && { cacheControl: INCOMPLETE }),
    servedFor: { state, ageMs: bytes.ageMs },
  }
}

interface HotelView {
  readonly served: ServedHotel
  readonly guest: GuestSession | undefined
  readonly client: ClientInfo
  readonly propertyId: PropertyId
}

type ViewRequest = Parameters<typeof eventCause>[1] & Pick<FastifyRequest, 'headers' | 'raw'>

/** For requests with a session cookie; views of a page from a CDN are reported by the beacon. */
export function recordHotelView(
  ctx: ConsumerContext,
  request: ViewRequest,
  { served, guest, client, propertyId }: HotelView,
): void {
  if (guest === undefined || !isView(request)) return
  queueView(ctx, {
    session: guest,
    client,
    cause: () => eventCause(ctx, request),
    propertyId,
    tenantId: served.tenantId,
    source: 'detail-link',
  })
}

/** Prefetches and HEAD requests are not views. */
function isView({ raw, headers }: ViewRequest): boolean {
  if (headers['sec-purpose'] === undefined && headers['purpose'] === undefined) {
    return raw.method === 'GET'
  }
  const purposes = [headers['sec-purpose'], headers['purpose']].flat()
  return raw.method === 'GET' && !purposes.some((purpose) => purpose?.includes('prefetch'))
}
