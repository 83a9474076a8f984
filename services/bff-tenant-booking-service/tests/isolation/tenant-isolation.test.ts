import { createDeadline } from '@melmastoon/chassis/clock'
import { rawSql, sql } from '@melmastoon/chassis/db'
import { newId, type PaymentIntentId, type TenantId } from '@melmastoon/domain'
import { send, type TestResponse } from '@melmastoon/testkit'
import { tenancyFindings, tenantTablesOf } from '@melmastoon/testkit/schema'
import { paymentContract } from '@melmastoon/upstream-contracts/payment'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirmationToken } from '../../src/confirmation/confirmation-link.ts'
import { GUEST, OCCUPANCY, roomTypeOf } from '../harness/booking-flow.ts'
import { mintToken } from '../harness/handoff-token.ts'
import { upstreamClient } from '../harness/platform.ts'
import {
  type Booking,
  OTHER_SLUG,
  PATIENT,
  SLUG,
  startWithSandbox,
} from '../harness/start-booking.ts'
import { stayAt } from '../harness/stays.ts'
import { postWebhook } from '../payments/webhook-relay.ts'
import { createOwner, type Owner } from './two-tenants.ts'

/** A guest of tenant A knows every id of a guest of tenant B, and finds nothing (T13). */
let booking: Booking
let a: Owner
let b: Owner
beforeAll(async () => {
  booking = await startWithSandbox({ overrides: { upstreamMs: PATIENT } })
  a = await createOwner(booking, booking.site)
  b = await createOwner(booking, booking.otherSite)
})
afterAll(() => booking[Symbol.asyncDispose]())

interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly json?: unknown
}

/** The ids that a request names: those of another tenant, or such as nobody has. */
interface Ids {
  readonly draftId: string
  readonly quoteId: string
  readonly propertyId: string
  readonly roomTypeId: string
  readonly reservationId: string
  readonly key: string
  readonly handoffArrivalId: string
}

const idsOf = (owner: Owner): Ids => {
  const { draft, quote, hotel, reservationId, key, handoffArrivalId } = owner
  return {
    draftId: draft.draftId,
    quoteId: quote.quoteId,
    propertyId: hotel.propertyId,
    roomTypeId: roomTypeOf(hotel),
    reservationId,
    key,
    handoffArrivalId,
  }
}

const unknownIds = (): Ids => ({
  draftId: newId('bdr'),
  quoteId: newId('qte'),
  propertyId: newId('ppt'),
  roomTypeId: newId('rmt'),
  reservationId: newId('rsv'),
  key: newId('req'),
  handoffArrivalId: newId('bha'),
})

const onDraft = (verb: string, json: () => unknown) => (ids: Ids) => [
  { method: 'POST', path: `/draft/${ids.draftId}/${verb}`, json: json() } as const,
]
const digest = () => b.quote.digest
const stayOf = () => stayAt(a.hotel, { days: 20 })

/** For every operation the requests with ids, or why it has none. */
const CASES: Readonly<Record<string, ((ids: Ids) => readonly Request[]) | string>> = {
  'booking.payment.webhook': 'is signed by the payment service: see the test below',
  'booking.bootstrap.get': 'has no id: see the caches below',
  'booking.message.list': 'is the same for all tenants',
  'booking.policy.list': 'has no id: see the caches below',
  'booking.consent.set': "changes the session of the request's own cookie",
  'booking.currency.set': "changes the session of the request's own cookie",
  'booking.locale.set': "changes the session of the request's own cookie",
  'booking.handoff.consume': 'takes a signed token: see the tokens below',
  'booking.availability.read': ({ propertyId }) => [
    { method: 'GET', path: availabilityOf(propertyId) },
  ],
  'booking.confirmation.read': ({ reservationId }) => [
    { method: 'GET', path: `/confirmation/${reservationId}` },
  ],
  'booking.confirmation.calendar': ({ reservationId }) => [
    { method: 'GET', path: `/confirmation/${reservationId}/calendar.ics` },
  ],
  'booking.draft.get': ({ draftId }) => [{ method: 'GET', path: `/draft/${draftId}` }],
  'booking.draft.delete': ({ draftId }) => [{ method: 'DELETE', path: `/draft/${draftId}` }],
  'booking.draft.save-details': ({ draftId }) => [
    {
      method: 'PATCH',
      path: `/draft/${draftId}`,
      json: { version: b.draft.version, guest: GUEST },
    },
  ],
  'booking.price.accept': onDraft('accept-price', () => ({ digest: digest() })),
  'booking.draft.confirm': onDraft('confirm', () => ({})),
  'booking.hold.extend': onDraft('extend', () => ({})),
  'booking.payment.request': onDraft('payment-intent', () => ({ method: 'cash_on_arrival' })),
  'booking.payment.return': onDraft('return', () => ({ redirectStatus: 'succeeded' })),
  'booking.hold.place': ({ quoteId, draftId, handoffArrivalId }) => {
    const own = { quoteId: a.quote.quoteId, digest: a.quote.digest }
    return [
      { method: 'POST', path: '/hold', json: { quoteId, digest: digest() } },
      { method: 'POST', path: '/hold', json: { ...own, draftId } },
      { method: 'POST', path: '/hold', json: { ...own, handoffArrivalId } },
    ]
  },
  'booking.key.read': ({ key }) => [{ method: 'GET', path: `/idempotency/${key}` }],
  'booking.quote.create': ({ propertyId, roomTypeId }) => {
    const rooms = [{ roomTypeId, quantity: 1 }]
    const json = { propertyId, stay: stayOf(), occupancy: OCCUPANCY, rooms }
    return [{ method: 'POST', path: '/quote', json }]
  },
}

function availabilityOf(propertyId: string): string {
  const query = new URLSearchParams({ ...stayOf(), adults: '2', propertyId })
  return `/availability?${query.toString()}`
}

const sendAs = ({ guest }: Pick<Owner, 'guest'>, { method, path, json }: Request) =>
  guest.send(method, path, {
    ...(method !== 'GET' && { key: newId('req') }),
    ...(json !== undefined && { json }),
  })

/** What a client can distinguish, without the ids that it has sent itself. */
function visible({ status, body, headers }: TestResponse, { path }: Request) {
  const members = Object.entries(body).filter(([name]) => !/^(requestId|traceId)$/i.test(name))
  const [address = ''] = path.split('?')
  const shown = JSON.stringify(Object.fromEntries(members)).replaceAll(address, '<path>')
  const names = [...headers.keys()].filter((name) => !/^(x-ratelimit|ratelimit)/.test(name))
  return { status, shown, headers: names.toSorted((x, y) => x.localeCompare(y)) }
}

const operationIds = () => {
  const { paths = {} } = booking.service.app.swagger()
  return Object.values(paths).flatMap((item) =>
    Object.values(item ?? {}).map((each) => (each as { operationId: string }).operationId),
  )
}

const addressed = Object.entries(CASES).flatMap(([operation, make]) =>
  typeof make === 'string' ? [] : [{ operation, make }],
)

describe('ids of another tenant', () => {
  it('RLS-11 every route is in the list of cases', () => {
    expect(operationIds().toSorted((x, y) => x.localeCompare(y))).toEqual(
      Object.keys(CASES).toSorted((x, y) => x.localeCompare(y)),
    )
  })

  it.each(addressed)('RLS-11 $operation: as if they did not exist', async ({ make }) => {
    const foreign = make(idsOf(b))
    const unknown = make(unknownIds())
    for (const [index, request] of foreign.entries()) {
      const other = unknown[index]
      if (other === undefined) throw new TypeError('as many requests for both')
      const found = visible(await sendAs(a, request), request)
      expect(found.status).toBe(404)
      expect(found).toEqual(visible(await sendAs(a, other), other))
    }
  })

  it('RLS-11 the owner is not affected, and finds everything (control)', async () => {
    const draft = await b.guest.get(`/draft/${b.draft.draftId}`)
    expect([draft.status, draft.body['version'], draft.body['state']]).toEqual([
      200,
      b.draft.version,
      'collecting_details',
    ])
    for (const path of [
      `/confirmation/${b.reservationId}`,
      `/confirmation/${b.reservationId}/calendar.ics`,
      `/idempotency/${b.key}`,
      availabilityOf(b.hotel.propertyId),
    ]) {
      expect([path, (await b.guest.get(path)).status]).toEqual([path, 200])
    }
  })

  it('RLS-12 another session of the right tenant finds nothing either', async () => {
    const stranger = await booking.otherSite.guest()
    for (const operation of ['booking.draft.get', 'booking.draft.confirm', 'booking.key.read']) {
      const make = CASES[operation]
      if (typeof make !== 'function') throw new TypeError(operation)
      for (const request of make(idsOf(b))) {
        expect((await sendAs({ guest: stranger }, request)).status).toBe(404)
      }
    }
    const { status } = await stranger.get(`/confirmation/${b.reservationId}`)
    expect(status).toBe(404)
  })
})

describe('tokens and keys of another tenant', () => {
  it('RLS-13 a signed link opens the confirmation of its own tenant only', async () => {
    const { reservationId, tenantId } = b
    const { checkOut } = b.confirmed.terms.stay
    const t = confirmationToken(booking.service.ctx, { tenantId, reservationId: rsv(), checkOut })
    const path = `/confirmation/${reservationId}?t=${t}`
    expect((await booking.site.browser().get(path)).status).toBe(404)
    expect((await booking.otherSite.browser().get(path)).status).toBe(200)
    function rsv() {
      const { reservationId: id } = b.confirmed.outcome ?? {}
      if (id == null) throw new TypeError('not confirmed')
      return id
    }
  })

  it('RLS-14 a handoff for another tenant is not found, and stays usable there', async () => {
    const token = mintToken(b.hotel)
    const rejected = await a.guest.post('/handoff/consume', { token })
    expect([rejected.status, rejected.body['code']]).toEqual([
      404,
      'MELMASTOON.BFF.TENANT.HANDOFF_NOT_FOUND',
    ])
    const consumed = await a.guest.post('/handoff/consume', { token: b.token })
    expect(consumed.text).not.toContain(b.handoffArrivalId)
    expect(consumed.body['code']).toBe('MELMASTOON.BFF.TENANT.HANDOFF_NOT_FOUND')
    expect((await b.guest.post('/handoff/consume', { token })).status).toBe(200)
  })

  it('RLS-14 an idempotency key of another tenant is unused here', async () => {
    const { status, headers } = await a.guest.post(
      '/session/consent',
      { functional: true },
      { key: b.key },
    )
    expect([status, headers.get('idempotency-replayed')]).toEqual([200, null])
    const uses = await b.guest.get(`/idempotency/${b.key}`)
    expect(uses.body['uses']).toHaveLength(1)
  })

  it('RLS-14 a webhook of one tenant does not touch the payment of another', async () => {
    const { schema } = booking.environment
    const rows = () =>
      booking.environment.query(`select a::text from ${schema}.booking_payment_attempt a`)
    const [attempt] = await booking.environment.query<{ intent_id: PaymentIntentId }>(
      `select intent_id from ${schema}.booking_payment_attempt a
       join ${schema}.booking_draft d on d.id = a.draft_id where d.reservation_id = $1`,
      [b.reservationId],
    )
    const paymentIntentId = attempt?.intent_id
    if (paymentIntentId === undefined) throw new TypeError('no payment')
    using deadline = createDeadline(10_000)
    const client = upstreamClient(paymentContract, booking.sandbox.url)
    const { tenantId } = b
    const intent = await client.getIntent({ params: { paymentIntentId } }, { deadline, tenantId })
    const before = await rows()
    const message = {
      id: newId('whk'),
      type: 'payment_intent.failed',
      tenantId: a.tenantId,
      occurredAt: new Date().toISOString(),
      data: { intent: { ...intent, status: 'failed', version: intent.version + 1 } },
    }
    const { status } = await postWebhook(booking.service.url, JSON.stringify(message))
    expect(status).toBe(200)
    expect(await rows()).toEqual(before)
  })
})

describe('caches', () => {
  it('RLS-15 what A has warmed is not what B reads', async () => {
    const { propertyId } = a.hotel
    const available = availabilityOf(propertyId)
    const paths = [
      '/bootstrap',
      '/policies',
      available,
      `/draft/${a.draft.draftId}`,
      `/confirmation/${a.reservationId}`,
    ]
    for (const path of paths) {
      const [first, warm] = [await a.guest.get(path), await a.guest.get(path)]
      const other = await b.guest.get(path)
      expect([path, first.status, warm.status]).toEqual([path, 200, 200])
      const { instance: _sent, ...read } = other.body
      for (const mark of [a.tenantId, propertyId, a.draft.draftId, a.reservationId]) {
        expect([path, mark, JSON.stringify(read).includes(mark)]).toEqual([path, mark, false])
      }
    }
    expect((await a.guest.get(available)).text).toContain(propertyId)
  })
})

describe('host confusion', () => {
  const byHost = (host: string, path: string, more: Record<string, string> = {}) =>
    send(booking.service.url, 'GET', `/api${path}`, { headers: { host, ...more } })

  it('RLS-16 the host names the site, no other header does', async () => {
    for (const header of ['x-forwarded-host', 'x-host', 'forwarded', 'x-original-host']) {
      const value = header === 'forwarded' ? `host=${OTHER_SLUG}.localhost` : undefined
      const found = await byHost(`${SLUG}.localhost`, '/bootstrap', {
        [header]: value ?? `${OTHER_SLUG}.localhost`,
      })
      expect([header, found.status]).toEqual([header, 200])
      expect(found.text).toContain(a.tenantId)
      expect(found.text).not.toContain(b.tenantId)
    }
  })

  it('RLS-16 a session cookie of one tenant is none at the host of another', async () => {
    const path = `/draft/${b.draft.draftId}`
    const [value = ''] = b.guest.cookies.values()
    const names = ['__Host-tnt_id', `__Host-tnt_id-${SLUG}`, `__Host-tnt_id-${OTHER_SLUG}`]
    const cookie = names.map((name) => `${name}=${value}`).join('; ')
    const there = await byHost(`${OTHER_SLUG}.localhost`, path, { cookie })
    expect(there.status).toBe(200)
    const here = await byHost(`${SLUG}.localhost`, path, { cookie })
    expect([here.status, here.body['code']]).toEqual([401, 'MELMASTOON.SESSION.COOKIE_INVALID'])
    const byPath = await a.guest.get(path, { headers: { cookie } })
    expect([byPath.status, byPath.body['code']]).toEqual([401, 'MELMASTOON.SESSION.COOKIE_INVALID'])
  })
})

const RANDOM_KEYS = { randomKeys: ['pk_booking_draft_snapshots', 'pk_handoff_arrival_log'] }

async function tenantTables(): Promise<string[]> {
  const { adminUrl, schema } = booking.environment
  return await tenantTablesOf(adminUrl, schema, RANDOM_KEYS)
}

/** The rows of every tenant table that the role of requests sees in the scope of a tenant. */
async function rowsSeenAs(tenantId: TenantId): Promise<Record<string, number>> {
  const { db } = booking.service.ctx
  const seen: Record<string, number> = {}
  for (const table of await tenantTables()) {
    const count = sql<{ rows: number }>`select count(*)::int as rows from ${rawSql(table)}`
    const [row] = await db.tenantQuery(tenantId, count)
    seen[table] = row?.rows ?? -1
  }
  return seen
}

describe('row-level security', () => {
  it('isolates every table with a tenant, and is forced on their owner', async () => {
    const { adminUrl, schema } = booking.environment
    expect(await tenancyFindings(adminUrl, schema, RANDOM_KEYS)).toEqual([])
    expect(await tenantTables()).toEqual(
      expect.arrayContaining([
        'booking_draft',
        'booking_draft_snapshots',
        'booking_fulfilment',
        'booking_payment_attempt',
        'handoff_arrival_log',
        'idempotency',
      ]),
    )
  })

  it('shows the rows of a booking to its own tenant only', async () => {
    const own = await rowsSeenAs(b.tenantId)
    expect(Object.entries(own).filter(([, rows]) => rows === 0)).toEqual([])
    const other = await rowsSeenAs(newId('tnt'))
    expect(other).toEqual(Object.fromEntries(Object.keys(own).map((table) => [table, 0])))
  })

  it('is what this test observes: without the policy it finds the rows (control)', async () => {
    const { environment } = booking
    const { adminUrl, schema } = environment
    await environment.query(`alter table ${schema}.booking_draft disable row level security`)
    const seen = await rowsSeenAs(newId('tnt'))
    const findings = await tenancyFindings(adminUrl, schema, RANDOM_KEYS)
    await environment.query(`alter table ${schema}.booking_draft enable row level security`)
    expect(seen['booking_draft']).toBeGreaterThan(0)
    expect(findings.map(({ object }) => object)).toEqual(['booking_draft'])
  })
})
