import { sql } from '@melmastoon/chassis/db'
import { isProblem, newId, type TenantId } from '@melmastoon/domain'
import { barrier, type TestDatabase } from '@melmastoon/testkit'
import { Client } from 'pg'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arriveWithHandoff, type GuestArrival } from '../../src/handoff/arrive-with-handoff.ts'
import { HandoffArrivalVM } from '../../src/handoff/handoff-payload.ts'
import {
  arrivalOf,
  bookingDatabase,
  bookingInstance,
  MINTER,
  newHandoff,
  OLD_MINTER,
  RETIRED_MINTER,
  tokenOf,
  UNKNOWN_SIGNER,
} from './arrival-setup.ts'

type Instance = ReturnType<typeof bookingInstance>

const CODE = 'MELMASTOON.BFF.TENANT.HANDOFF_'
let database: TestDatabase
let admin: Client
let instance: Instance
let other: Instance

beforeAll(async () => {
  database = await bookingDatabase()
  admin = new Client({ connectionString: database.adminUrl, ssl: false })
  await admin.connect()
  instance = bookingInstance(database)
  other = bookingInstance(database)
})
afterAll(async () => {
  await instance[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  await admin.end()
  await database[Symbol.asyncDispose]()
})

const arrive = (arrival: GuestArrival, at = instance) => arriveWithHandoff(at.deps, arrival)

const codeOf = (arrival: GuestArrival, at = instance) =>
  arrive(arrival, at).then(
    () => 'accepted',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )

async function rowsOf(handoffId: string) {
  const { rows } = await admin.query<Record<string, unknown>>(
    `select * from bff_tenant_booking.handoff_arrival_log where handoff_id = $1`,
    [handoffId],
  )
  return rows
}

async function eventsOf(handoffId: string) {
  const { rows } = await admin.query<{ payload: Record<string, unknown>; ordering_key: string }>(
    `select payload, ordering_key from bff_tenant_booking.outbox
      where payload->>'handoffId' = $1`,
    [handoffId],
  )
  return rows
}

const tally = (items: readonly string[]) =>
  Object.fromEntries([...new Set(items)].map((k) => [k, items.filter((item) => item === k).length]))

describe('T3 an arrival', () => {
  it('T3 prefills what the guest chose, and stores the row and the event of the documents', async () => {
    const handoff = newHandoff()
    const token = tokenOf(handoff, { ageMs: 22_000 })
    const arrival = arrivalOf(handoff, token)
    const view = await arrive(arrival)
    expect(Value.Check(HandoffArrivalVM, view)).toBe(true)
    const payload = {
      propertyId: handoff.propertyId,
      stay: { checkIn: '2026-05-20', checkOut: '2026-05-22' },
      occupancy: { adults: 2, children: 1, rooms: 1, childrenAges: [4] },
      currency: 'AFN',
      locale: 'ps-AF',
      campaign: { source: 'radio', campaign: 'Nowruz' },
      ...handoff.offer,
    }
    expect(view.payload).toEqual(payload)
    const [row, ...more] = await rowsOf(handoff.id)
    expect(more).toEqual([])
    expect(row).toMatchObject({
      id: view.handoffArrivalId,
      consumer_session_id: handoff.guestSessionId,
      property_id: handoff.propertyId,
      session_id: arrival.session.id,
      consumed: true,
      consumed_at: new Date(view.consumedAt),
      payload,
      signing_key_id: 'hmac-2026-04',
      user_agent_class: 'browser-mobile',
      booking_draft_id: null,
    })
    const [event, ...others] = await eventsOf(handoff.id)
    expect(others).toEqual([])
    expect(event?.ordering_key).toBe(view.handoffArrivalId)
    expect(event?.payload).toEqual({
      tenantId: handoff.tenantId,
      handoffId: handoff.id,
      handoffArrivalId: view.handoffArrivalId,
      consumerSessionId: handoff.guestSessionId,
      propertyId: handoff.propertyId,
      campaign: { source: 'radio', campaign: 'Nowruz' },
      mintedAt: expect.stringMatching(/Z$/),
      consumedAt: view.consumedAt,
      elapsedMs: Date.parse(view.consumedAt) - Date.parse(String(event?.payload['mintedAt'])),
      hmacSignatureFingerprint: row?.['hmac_signature_fingerprint'],
    })
    expect(Number(event?.payload['elapsedMs'])).toBeGreaterThanOrEqual(22_000)
    const stored = JSON.stringify([row, event])
    expect(stored).not.toContain(token.split('.')[1])
    expect(stored).not.toContain('203.0.113.7')
  })

  it('T3 is reported to the consumer service; without it the arrival is accepted all the same', async () => {
    const [reported, unreported] = [newHandoff(), newHandoff()]
    const view = await arrive(arrivalOf(reported, tokenOf(reported)))
    other.consumer.isDown = true
    await arrive(arrivalOf(unreported, tokenOf(unreported)), other)
    await instance.idle()
    await other.idle()
    other.consumer.isDown = false
    expect(instance.reports.filter(({ handoffId }) => handoffId === reported.id)).toEqual([
      {
        handoffId: reported.id,
        tenantId: reported.tenantId,
        arrivalId: view.handoffArrivalId,
        consumedByBffInstance: 'booking-1',
      },
    ])
    expect(other.reports.filter(({ handoffId }) => handoffId === unreported.id)).toEqual([])
    expect(await eventsOf(unreported.id)).toHaveLength(1)
  })

  it('T3 with a token of an earlier version prefills less', async () => {
    const handoff = newHandoff({
      campaign: { source: '', medium: '', name: '' },
      offer: { roomTypeId: null, ratePlanId: null, digest: null, shownPrice: null },
    })
    const { payload } = await arrive(arrivalOf(handoff, tokenOf(handoff)))
    expect(payload).toMatchObject({ campaign: null, roomTypeId: null, shownPrice: null })
  })
})

describe('T3 a token presented again', () => {
  const age = (handoffId: string, seconds: number) =>
    admin.query(
      `update bff_tenant_booking.handoff_arrival_log
        set received_at = now() - make_interval(secs => $2) where handoff_id = $1`,
      [handoffId, seconds],
    )

  it('T3 by the same session gets the same arrival for two minutes, at any instance', async () => {
    const handoff = newHandoff()
    const arrival = arrivalOf(handoff, tokenOf(handoff))
    const first = await arrive(arrival)
    expect(await arrive(arrival, other)).toEqual(first)
    await age(handoff.id, 118)
    expect(await arrive(arrival)).toEqual(first)
    await age(handoff.id, 121)
    expect(await codeOf(arrival)).toBe(`${CODE}REPLAYED`)
    expect(await rowsOf(handoff.id)).toHaveLength(1)
    expect(await eventsOf(handoff.id)).toHaveLength(1)
  })

  it('T3 by another session is a replay, which is reported after the first arrival', async () => {
    const handoff = newHandoff()
    const token = tokenOf(handoff)
    const view = await arrive(arrivalOf(handoff, token))
    await instance.idle()
    for (let n = 0; n < 3; n += 1) {
      expect(await codeOf(arrivalOf(handoff, token))).toBe(`${CODE}REPLAYED`)
    }
    await instance.idle()
    const arrivals = instance.reports.filter(({ handoffId }) => handoffId === handoff.id)
    const [first, again, second, ...more] = arrivals.map(({ arrivalId }) => arrivalId)
    expect([first, again]).toEqual([view.handoffArrivalId, view.handoffArrivalId])
    expect(second).toMatch(/^bha_/)
    expect(second).not.toBe(first)
    expect(more).toEqual([])
  })

  it('T3 by another session while the consumer service is down is not reported as the first', async () => {
    const handoff = newHandoff()
    const token = tokenOf(handoff)
    other.consumer.isDown = true
    await arrive(arrivalOf(handoff, token), other)
    expect(await codeOf(arrivalOf(handoff, token), other)).toBe(`${CODE}REPLAYED`)
    await other.idle()
    other.consumer.isDown = false
    expect(other.reports.filter(({ handoffId }) => handoffId === handoff.id)).toEqual([])
  })
})

describe('T3 concurrent arrivals', () => {
  const CROWD = 500

  it('T3 five hundred sessions at two instances: one arrival, one event', async () => {
    const handoff = newHandoff()
    const token = tokenOf(handoff)
    const codes = await Promise.all(
      Array.from({ length: CROWD }, (_, n) =>
        codeOf(arrivalOf(handoff, token), n % 2 === 0 ? instance : other),
      ),
    )
    expect(tally(codes)).toEqual({ accepted: 1, [`${CODE}REPLAYED`]: CROWD - 1 })
    expect(await rowsOf(handoff.id)).toHaveLength(1)
    expect(await eventsOf(handoff.id)).toHaveLength(1)
  })

  it('T3 five hundred requests of one session get one arrival', async () => {
    const handoff = newHandoff()
    const arrival = arrivalOf(handoff, tokenOf(handoff))
    const views = await Promise.all(
      Array.from({ length: CROWD }, (_, n) => arrive(arrival, n % 2 === 0 ? instance : other)),
    )
    expect(new Set(views.map((view) => JSON.stringify(view))).size).toBe(1)
    expect(await rowsOf(handoff.id)).toHaveLength(1)
    expect(await eventsOf(handoff.id)).toHaveLength(1)
  })

  it('T3 control: reading before writing admits several arrivals', async () => {
    await using unguarded = await bookingDatabase()
    const owner = new Client({ connectionString: unguarded.adminUrl, ssl: false })
    await owner.connect()
    await owner.query('drop index bff_tenant_booking.ux_handoff_tenant_handoff')
    await using careless = bookingInstance(unguarded)
    const [tenantId, handoffId] = [newId('tnt'), newId('bhd')]
    const allHaveRead = barrier(4)
    const readThenWrite = async () => {
      const read = sql<{ id: string }>`
        select id from handoff_arrival_log where handoff_id = ${handoffId}`
      const rows = await careless.db.tenantQuery(tenantId, read)
      await allHaveRead.arrive()
      if (rows.length > 0) return 'replayed'
      await careless.db.tenantQuery(tenantId, plainInsert(tenantId, handoffId))
      return 'accepted'
    }
    const outcomes = await Promise.all(Array.from({ length: 4 }, readThenWrite))
    await owner.end()
    expect(tally(outcomes)).toEqual({ accepted: 4 })
  })
})

function plainInsert(tenantId: TenantId, handoffId: string) {
  const hash = `sha256:${'0'.repeat(64)}`
  return sql`
    insert into handoff_arrival_log (id, tenant_id, handoff_id, session_id, consumer_session_id,
      property_id, expires_at, payload, hmac_signature_fingerprint, signing_key_id,
      remote_ip_hash, user_agent_class)
    values (${newId('bha')}, current_setting('app.tenant_id')::uuid, ${handoffId}, ${tenantId}, 'g',
      'p', now(), '{}', ${hash}, 'k', ${hash}, 'c')`
}

describe('T3 a token that is not accepted', () => {
  it.each([
    ['of an unknown key', { ring: UNKNOWN_SIGNER }, 'SIGNATURE_INVALID'],
    ['of a retired key', { ring: RETIRED_MINTER }, 'SIGNATURE_INVALID'],
    ['31 minutes and a second old', { ageMs: 31 * 60_000 + 1_000 }, 'EXPIRED'],
    ['minted over a minute in the future', { ageMs: -65_000 }, 'SIGNATURE_INVALID'],
  ])('T3 %s is rejected and stores nothing', async (_what, how, code) => {
    const handoff = newHandoff()
    expect(await codeOf(arrivalOf(handoff, tokenOf(handoff, how)))).toBe(`${CODE}${code}`)
    expect(await rowsOf(handoff.id)).toEqual([])
    expect(await eventsOf(handoff.id)).toEqual([])
  })

  it.each([
    ['of a key in its grace period', { ring: OLD_MINTER }],
    ['30 seconds after its expiry', { ageMs: 30 * 60_000 + 30_000 }],
    ['minted half a minute in the future', { ageMs: -30_000 }],
  ])('T3 control: %s is accepted', async (_what, how) => {
    const handoff = newHandoff()
    expect(await codeOf(arrivalOf(handoff, tokenOf(handoff, how)))).toBe('accepted')
  })

  it('T3 of another tenant is not found, and stays usable at its own', async () => {
    const handoff = newHandoff()
    const token = tokenOf(handoff)
    expect(await codeOf(arrivalOf({ tenantId: newId('tnt') }, token))).toBe(`${CODE}NOT_FOUND`)
    expect(await rowsOf(handoff.id)).toEqual([])
    expect(await codeOf(arrivalOf(handoff, token))).toBe('accepted')
  })

  it('T3 forged, truncated or empty is rejected with one error', async () => {
    const handoff = newHandoff()
    const token = tokenOf(handoff)
    for (const forged of ['', 'x', token.slice(1), `${token}=`, `${token.slice(0, -2)}AA`]) {
      expect(await codeOf(arrivalOf(handoff, forged))).toBe(`${CODE}SIGNATURE_INVALID`)
    }
    const stranger = tokenOf({ ...handoff, tenantId: newId('tnt') }, { ring: UNKNOWN_SIGNER })
    expect(await codeOf(arrivalOf(handoff, stranger))).toBe(`${CODE}SIGNATURE_INVALID`)
  })

  it('T3 outcomes are counted', () => {
    expect(Object.keys(tally(instance.outcomes))).toEqual(
      expect.arrayContaining([
        'consumed',
        'repeated',
        'replayed',
        'invalid',
        'expired',
        'other-tenant',
      ]),
    )
  })
})

it('T3 the arrival of one tenant is invisible to another', async () => {
  const handoff = newHandoff()
  await arrive(arrivalOf(handoff, tokenOf(handoff, { ring: MINTER })))
  const read = sql<{ id: string }>`
    select id from handoff_arrival_log where handoff_id = ${handoff.id}`
  expect(await instance.db.tenantQuery(handoff.tenantId, read)).toHaveLength(1)
  expect(await instance.db.tenantQuery(newId('tnt'), read)).toEqual([])
})
