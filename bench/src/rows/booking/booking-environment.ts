import { bookingService } from '@melmastoon/bff-tenant-booking-service'
import { createRedis } from '@melmastoon/chassis/redis'
import { fixedKeys, upstreamEnv } from '@melmastoon/testkit/service-env'
import { LOAD_CORE } from '../../harness/cores.ts'
import { sendOne } from '../../harness/http-load.ts'
import type { PageServer } from '../../harness/page-server.ts'
import type { BenchWorld } from '../../harness/row.ts'
import { sendWhenReady, startedSession } from '../../harness/send-when-ready.ts'
import { startWorker } from '../../harness/worker.ts'
import { VISITOR } from '../search/queries.ts'
import type { SearchEnvironment } from '../search/search-environment.ts'

const SLUG = 'creek-pearl'
/** Of the site, on the shared host. */
export const SITE = `/bff/tenant-booking/v1/${SLUG}`
const WEBHOOK_SECRET = 'no secret of webhooks, but long enough'

/** A hotel of the demo world and one of its rooms for two. */
export interface BookedHotel {
  readonly tenantId: string
  readonly propertyId: string
  readonly roomTypeId: string
}

export interface Upstreams {
  /** Of the sandbox, or of the stub in front of it. */
  readonly url: string
  readonly secret: string
}

export async function findHotel({ sandbox, secret }: SearchEnvironment): Promise<BookedHotel> {
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const url = `${sandbox.url}/upstreams${path}`
    const { body } = await sendOne({ url, headers: { ...serviceHeaders(secret), ...headers } })
    return JSON.parse(body.toString()) as Found
  }
  const { tenantId = '' } = await read(`/tenant/api/v1/tenants/by-slug/${SLUG}`)
  const { properties = [] } = await read('/property/api/v1/properties', { 'x-tenant-id': tenantId })
  const propertyId = properties[0]?.propertyId ?? ''
  const { roomTypes = [] } = await read(`/property/api/v1/properties/${propertyId}`)
  const room = roomTypes.find(({ adultsMax }) => adultsMax >= 2)
  if (room === undefined) throw new Error(`${SLUG} has no room for two`)
  return { tenantId, propertyId, roomTypeId: room.roomTypeId }
}

interface Found {
  readonly tenantId?: string
  readonly properties?: readonly { readonly propertyId: string }[]
  readonly roomTypes?: readonly { readonly roomTypeId: string; readonly adultsMax: number }[]
}

export function serviceHeaders(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}`, 'x-calling-service': 'bench' }
}

/** Upstreams that cost every alternative the same, and no database. */
export async function startStub({ sandbox, secret }: SearchEnvironment): Promise<Upstreams> {
  const worker = startWorker(new URL('./stub-upstreams.ts', import.meta.url), { core: LOAD_CORE })
  const port = await worker.run('start', { url: sandbox.url })
  return { url: `http://127.0.0.1:${String(port)}`, secret }
}

export interface BookingSettings {
  /** False: the control that does no work for idempotency keys. */
  readonly keyed?: boolean
  /** Instead of those of the environment, for example through a counting proxy. */
  readonly env?: (env: Record<string, string>) => Promise<Record<string, string>>
}

const UPSTREAMS = ['tenant', 'theme', 'property', 'inventory', 'pricing', 'reservation', 'payment']

export async function startBooking(
  world: BenchWorld,
  { url, secret }: Upstreams,
  { keyed = true, env = async (same) => same }: BookingSettings = {},
): Promise<PageServer> {
  const own = {
    ...(await world.serviceEnv(bookingService)),
    ...upstreamEnv(`${url}/upstreams`, UPSTREAMS),
    CONSUMER_INTERNAL_URL: 'http://127.0.0.1:9',
    SERVICE_SECRET: secret,
    IDEMPOTENCY_SECRET: secret,
    HASH_PEPPERS: fixedKeys(1),
    HANDOFF_KEYS: fixedKeys(2),
    SESSION_KEYS: fixedKeys(3),
    GUEST_DATA_KEYS: fixedKeys(4),
    FULFILMENT_KEYS: fixedKeys(5),
    CONFIRMATION_KEYS: fixedKeys(6),
    PAYMENT_WEBHOOK_SECRET: WEBHOOK_SECRET,
    SITE_HOST_SUFFIXES: 'localhost',
    SITE_URL: 'http://{slug}.localhost:8082',
  }
  await forgetSites(own)
  const worker = startWorker(new URL('./booking-server.ts', import.meta.url), {
    env: await env(own),
  })
  const listening = (await worker.run('start', { keyed })) as string
  return {
    url: listening,
    pid: worker.pid,
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}

/** Other rows use other upstreams, where the same slug is another tenant. */
async function forgetSites(env: Readonly<Record<string, string>>): Promise<void> {
  for (const url of [env['REDIS_SESSION_URL'], env['REDIS_CACHE_URL']]) {
    const redis = createRedis(url ?? '', { name: 'bench', onError: () => undefined })
    const keys = await redis.keys('bff-tenant-booking-service:*')
    if (keys.length > 0) await redis.unlink(...keys)
    redis.disconnect()
  }
}

/** Guests who have loaded the site. */
export async function openBookingSessions(url: string, count: number): Promise<string[]> {
  const cookies: string[] = []
  while (cookies.length < count) cookies.push(await openBookingSession(url))
  return cookies
}

/** A guest who has loaded the site. */
async function openBookingSession(url: string): Promise<string> {
  const visit = { url: `${url}${SITE}/bootstrap`, headers: VISITOR }
  return startedSession(await sendWhenReady(visit))
}
