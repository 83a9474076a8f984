import { createDeadline } from '@melmastoon/chassis/clock'
import { type GuestSessionId, idToUuid, newId, uuidToId } from '@melmastoon/domain'
import { send as sendTo } from '@melmastoon/testkit'
import { readListings } from '../../src/listings/read-listings.ts'
import { type Hotel, startFakeUpstreams } from './fake-upstreams/index.ts'
import { sessionKeyOf } from './guest-sessions.ts'
import {
  consumerEnvironment,
  createGuest,
  type RunningConsumer,
  startConsumer,
  type TestEnvironment,
  type TestResponse,
} from './start-consumer.ts'

export interface RequestOptions {
  readonly json?: unknown
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request with a new idempotency key unless one is given. */
export async function send(
  url: string,
  [method, path]: readonly [method: string, path: string],
  { json, key = newId('req'), headers }: RequestOptions = {},
): Promise<TestResponse> {
  const sent = { json, headers, key: key === '' ? undefined : key }
  return await sendTo(url, method, `/bff/consumer/v1${path}`, sent)
}

export interface WishOptions {
  readonly key?: string
  readonly note?: string
  readonly source?: string
  /** The instance to call, if not the one that started the session. */
  readonly at?: string
}

/** A guest session and the requests on its wishlist. */
export async function startWishlistClient(url: string, headers: Record<string, string> = {}) {
  const { id, cookie } = await createGuest(url, headers)
  const guestHeaders = { cookie, ...headers }
  return {
    id,
    cookie,
    add(propertyId: string, { key, at = url, source = 'list', ...over }: WishOptions = {}) {
      const json = { propertyId, source, ...over }
      return send(at, ['POST', '/wishlist'], { json, headers: guestHeaders, ...(key && { key }) })
    },
    remove(propertyId: string, { key, at = url }: WishOptions = {}) {
      const options = { headers: guestHeaders, ...(key && { key }) }
      return send(at, ['DELETE', `/wishlist/${propertyId}`], options)
    },
    list: (query = '', at = url) =>
      send(at, ['GET', `/wishlist${query}`], { headers: guestHeaders }),
    session: () => send(url, ['GET', '/session'], { headers: guestHeaders }),
  }
}

export type WishlistClient = Awaited<ReturnType<typeof startWishlistClient>>

/** The wishes of the guest in the database, oldest first. */
export async function storedWishes(
  environment: Pick<TestEnvironment, 'query'>,
  { id }: { id: string },
) {
  const guest = idToUuid(id as GuestSessionId)
  const rows = await environment.query<{
    property_id: string
  }>(`select property_id from bff_consumer.wishlist_anonymous
     where guest_session_id = '${guest}' order by added_at, wishlist_id`)
  return rows.map((row) => String(uuidToId('ppt', row.property_id)))
}

/** The wishes in the session as stored in Redis, without caches. */
export async function sessionOf({ ctx }: Pick<RunningConsumer, 'ctx'>, { id }: { id: string }) {
  const stored = await ctx.sessionRedis.hget(sessionKeyOf(id), 'd')
  const { wishlistRefs } = JSON.parse(stored ?? '{"wishlistRefs":[]}') as {
    wishlistRefs: { propertyId: string }[]
  }
  return wishlistRefs.map(({ propertyId }) => propertyId)
}

export interface Entry extends Record<string, unknown> {
  wishlistId: string
  addedAt: string
  source?: string
  note?: string
  propertyId?: string
  card?: Record<string, unknown> & { propertyId: string; rateSnapshot?: Record<string, unknown> }
}

export const wishesOf = ({ body }: TestResponse) => body['items'] as Entry[]
export const hotelsOf = (response: TestResponse) =>
  wishesOf(response).map(({ card }) => card?.propertyId)
export const unavailableOf = ({ body }: TestResponse) => body['unavailable'] as Entry[]

export function createHotels(count: number): Hotel[] {
  return Array.from({ length: count }, (_, at) => ({
    propertyId: newId('ppt'),
    tenantId: newId('tnt'),
    city: 'kabul',
    name: `Hotel ${at}`,
    nightlyMicro: String(2_500_000_000 + at * 10_000),
    deliveryRegion: 'asia-south1',
    openedOn: '2019-05-01',
  }))
}

/** Loads the listings first, so that a burst of wishes does not become one of search requests. */
async function warm(ctx: RunningConsumer['ctx'], hotels: readonly Hotel[]): Promise<void> {
  const ids = hotels.map(({ propertyId }) => propertyId)
  for (const some of [ids.slice(0, 100), ids.slice(100)]) {
    using deadline = createDeadline(10_000)
    await readListings(ctx, some, { deadline })
  }
}

/** Many hotels and two instances of the service on one database. */
export async function startTwoInstances(hotelCount: number) {
  const upstreams = await startFakeUpstreams(createHotels(hotelCount))
  const environment = await consumerEnvironment(upstreams)
  const one = await startConsumer(environment)
  const other = await startConsumer(environment)
  for (const { ctx } of [one, other]) await warm(ctx, upstreams.hotels)
  return {
    upstreams,
    environment,
    one,
    other,
    ids: upstreams.hotels.map(({ propertyId }) => propertyId as string),
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
      await upstreams[Symbol.asyncDispose]()
    },
  }
}

export type TwoInstances = Awaited<ReturnType<typeof startTwoInstances>>
