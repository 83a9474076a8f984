import { createDeadline } from '@melmastoon/chassis/clock'
import { BackgroundWork } from '@melmastoon/chassis/concurrency'
import { createDatabase, readMigrations, sharedMigrations } from '@melmastoon/chassis/db'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { newId, parseIsoDate, problem, toIsoDateTime } from '@melmastoon/domain'
import { type HandoffFields, KeyedHash, KeyRing, mintHandoff } from '@melmastoon/security'
import { type TestDatabase, testDatabase } from '@melmastoon/testkit'
import type { HandoffConsumption } from '@melmastoon/upstream-contracts/handoff'
import type { ArrivalDeps, GuestArrival } from '../../src/handoff/arrive-with-handoff.ts'

const SCHEMA = 'bff_tenant_booking'
const secret = (fill: number) => Buffer.alloc(32, fill).toString('base64url')
const key = (id: string, state: string, fill: number) => `${id}:${state}:${secret(fill)}`

/** The signing key of the consumer service. */
export const MINTER = KeyRing.parse(key('hmac-2026-04', 'active', 1))
export const UNKNOWN_SIGNER = KeyRing.parse(key('hmac-2026-04', 'active', 9))
export const OLD_MINTER = KeyRing.parse(key('hmac-2026-03', 'active', 2))
export const RETIRED_MINTER = KeyRing.parse(key('hmac-2026-02', 'active', 3))
const VERIFIER = KeyRing.parse(
  [
    key('hmac-2026-04', 'active', 1),
    key('hmac-2026-03', 'grace', 2),
    key('hmac-2026-02', 'retired', 3),
  ].join(','),
)

/** A database with the tables of the service. */
export async function bookingDatabase(): Promise<TestDatabase> {
  const own = new URL('../../src/migrations/', import.meta.url)
  const shared = await sharedMigrations({ schema: SCHEMA, idempotencyIsolation: true })
  const migrations = [...shared, ...(await readMigrations(own, { schema: SCHEMA }))]
  return testDatabase({ schema: SCHEMA, migrations })
}

export interface Report extends HandoffConsumption {
  readonly handoffId: string
}

/** One instance of the service; the consumer service is a list of the calls it received. */
export function bookingInstance(database: TestDatabase) {
  const reports: Report[] = []
  const outcomes: string[] = []
  const consumer = { isDown: false }
  const claimed = new Set<string>()
  const db = createDatabase({ url: database.appUrl, poolMax: 8, onError: () => undefined })
  const background = new BackgroundWork({
    onError: (error) => outcomes.push(String(error)),
    onDropped: () => outcomes.push('dropped'),
  })
  const deps: ArrivalDeps = {
    clock: {
      now: () => new Date(),
      nowMs: () => Date.now(),
      monotonicMs: () => performance.now(),
    },
    db,
    handoffKeys: VERIFIER,
    hashes: new KeyedHash(KeyRing.parse(key('p1', 'active', 7))),
    measures: { handoffConsumes: { inc: ({ outcome }) => outcomes.push(outcome) } },
    background,
    recentKeys: {
      claimOnce: async (name) => !claimed.has(name) && claimed.add(name).has(name),
    },
    config: { instance: 'booking-1' },
    upstreams: {
      consumer: {
        async consume({ params, body }) {
          if (consumer.isDown) throw problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
          reports.push({ ...body, handoffId: params.id })
          const consumedAt = toIsoDateTime(new Date())
          return { handoffId: params.id, arrivalId: body.arrivalId, consumedAt }
        },
      },
    },
  }
  return {
    db,
    deps,
    reports,
    outcomes,
    consumer,
    idle: () => background[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  }
}

export function newHandoff(over: Partial<HandoffFields> = {}): HandoffFields {
  return {
    id: newId('bhd'),
    guestSessionId: newId('gms'),
    tenantId: newId('tnt'),
    propertyId: newId('ppt'),
    checkIn: parseIsoDate('2026-05-20'),
    checkOut: parseIsoDate('2026-05-22'),
    adults: 2,
    children: 1,
    rooms: 1,
    currency: 'AFN',
    locale: 'ps-AF',
    childrenAges: [4],
    campaign: { source: 'radio', medium: '', name: 'Nowruz' },
    offer: {
      roomTypeId: newId('rmt'),
      ratePlanId: newId('rate'),
      digest: `sha256:${'0f'.repeat(32)}`,
      shownPrice: { amountMinor: 1_250_000, currency: 'AFN' },
    },
    ...over,
  }
}

export function tokenOf(fields: HandoffFields, { ring = MINTER, ageMs = 0 } = {}): string {
  return mintHandoff(fields, ring, new Date(Date.now() - ageMs)).token
}

export function arrivalOf(
  { tenantId }: Pick<HandoffFields, 'tenantId'>,
  token: string,
  over: Partial<GuestArrival> = {},
): GuestArrival {
  const trace = newTrace()
  return {
    token,
    site: { tenantId },
    session: { id: newId('tnt_session'), data: { deviceClass: 'browser-mobile' } },
    client: { address: '203.0.113.7' },
    deadline: createDeadline(30_000),
    trace,
    cause: () => ({
      producerInstance: 'booking-1',
      tenantId,
      requestId: newId('req'),
      traceparent: renderTraceparent(trace),
      occurredAt: new Date(),
    }),
    ...over,
  }
}
