import { createServiceVerifier } from '@melmastoon/bff/upstreams'
import { createDatabase, sql } from '@melmastoon/chassis/db'
import { runJob } from '@melmastoon/chassis/jobs'
import { hashedPart } from '@melmastoon/chassis/redis'
import { jobHost } from '@melmastoon/chassis/service'
import {
  type HandoffArrivalId,
  type HandoffId,
  idToUuid,
  newId,
  type TenantId,
} from '@melmastoon/domain'
import { eventually, latch } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { botSuspected } from '../../src/events/bot-events.ts'
import { service } from '../../src/service.ts'
import { sessionBy } from '../harness/guest-sessions.ts'
import {
  bookingService,
  type ConsumeResponse,
  credentials,
  mint,
  mintForNewGuest,
  type Target,
} from '../harness/handoff-client.ts'
import {
  type Fixture,
  type RunningConsumer,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let second: RunningConsumer
let url: string
let booking: ReturnType<typeof bookingService>
let otherBooking: ReturnType<typeof bookingService>

beforeAll(async () => {
  fixture = await startFixture()
  second = await startConsumer(fixture.environment)
  url = fixture.service.url
  booking = bookingService(fixture.service.internalUrl)
  otherBooking = bookingService(second.internalUrl)
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})
afterEach(() => {
  fixture.upstreams.reset()
  fixture.upstreams.suspended.clear()
})

const at = (index: number): Target => {
  const hotel = fixture.upstreams.hotels[index]
  if (hotel === undefined) throw new Error('unknown hotel')
  return hotel
}
const CODE = 'MELMASTOON.BFF.CONSUMER.'
const uuid = (id: string) => idToUuid(id as TenantId)

interface Row {
  consumed: boolean
  arrival_id: string | null
  consumed_by_bff_instance: string | null
  replay_attempts: number
}

async function rowOf(handoffId: string): Promise<Row | undefined> {
  const [row] =
    await fixture.environment.query<Row>(`select consumed, arrival_id, consumed_by_bff_instance, replay_attempts
      from bff_consumer.handoff_replay_log where handoff_id = '${uuid(handoffId)}'`)
  return row
}

const suspicionsOf = (handoffId: string) =>
  fixture.environment.query<{
    payload: Record<string, unknown>
  }>(`select payload from (select subject, payload from bff_consumer.outbox
       union all select subject, payload from bff_consumer.outbox_published) e
      where subject = '${botSuspected.subject}' and payload->>'handoffId' = '${handoffId}'`)

/** Moves the time of minting into the past, by the database's clock. */
const age = (handoffId: string, sinceExpirySeconds: number) =>
  fixture.environment.query(`update bff_consumer.handoff_replay_log
      set expires_at = now() - interval '${sinceExpirySeconds} seconds',
          minted_at = now() - interval '${sinceExpirySeconds} seconds' - interval '30 minutes'
      where handoff_id = '${uuid(handoffId)}'`)

const tally = (items: readonly (string | number)[]) =>
  Object.fromEntries([...new Set(items)].map((k) => [k, items.filter((item) => item === k).length]))

describe('SEC-H03 five hundred concurrent requests', () => {
  const CROWD = 500

  it('SEC-H03 five hundred arrivals with one token at two instances: one is accepted', async () => {
    const { token, handoffId, guest } = await mintForNewGuest(url, at(0))
    const { tenantId } = at(0)
    // Both instances have the tenant cached; waiting for the upstream would exceed the deadline.
    await otherBooking.consume(newId('bhd'), consumption({ tenantId }))
    /** Retries if no database connection was available in time on a busy machine. */
    const arrive = async (n: number): Promise<ConsumeResponse> => {
      const arrivalId = newId('bha')
      const instance = n % 2 === 0 ? booking : otherBooking
      const present = async () => {
        const response = await instance.present(token, tenantId, { arrivalId })
        if (response.status >= 500) throw new Error(response.code)
        return response
      }
      // Frequent retries of 500 clients would themselves overload the service.
      return await eventually(present, { timeoutMs: 20_000, intervalMs: 200 })
    }
    const responses = await Promise.all(Array.from({ length: CROWD }, (_, n) => arrive(n)))
    expect(tally(responses.map(({ status }) => status))).toEqual({ 200: 1, 409: CROWD - 1 })
    expect(tally(responses.map(({ code }) => code ?? 'none'))).toEqual({
      none: 1,
      [`${CODE}HANDOFF_REPLAYED`]: CROWD - 1,
    })
    const winner = responses.find(({ status }) => status === 200)
    expect(await rowOf(handoffId)).toEqual({
      consumed: true,
      arrival_id: uuid(String(winner?.body['arrivalId'])),
      consumed_by_bff_instance: 'booking-1',
      replay_attempts: CROWD - 1,
    })
    await expect.poll(() => suspicionsOf(handoffId)).toHaveLength(1)
    const [suspicion] = await suspicionsOf(handoffId)
    expect(suspicion?.payload).toMatchObject({
      guestSessionId: guest.id,
      reason: 'handoff-replayed',
      verdict: 'suspect',
    })
  })

  it('SEC-H03 control: reading before writing accepts several arrivals', async () => {
    const { handoffId } = await mintForNewGuest(url, at(0))
    await using db = createDatabase({
      url: fixture.environment.env['DATABASE_APP_URL'] ?? '',
      poolMax: 4,
      onError: () => undefined,
    })
    const allHaveRead = latch()
    let readers = 0
    const lookThenWrite = async () => {
      const [row] = await db.query(
        sql<{ consumed: boolean }>`select consumed from handoff_replay_log
          where handoff_id = ${uuid(handoffId)}::uuid`,
      )
      readers += 1
      if (readers === 4) allHaveRead.open()
      await allHaveRead.promise
      if (row?.consumed !== false) return 409
      await db.query(
        sql`update handoff_replay_log set consumed = true, consumed_at = now(),
          arrival_id = ${uuid(newId('bha'))}::uuid where handoff_id = ${uuid(handoffId)}::uuid`,
      )
      return 200
    }
    const statuses = await Promise.all(Array.from({ length: 4 }, lookThenWrite))
    expect(tally(statuses)).toEqual({ 200: 4 })
  })
})

describe('an arrival', () => {
  it('gets the same response when it is repeated', async () => {
    const { token } = await mintForNewGuest(url, at(1))
    const arrivalId = newId('bha')
    const first = await booking.present(token, at(1).tenantId, { arrivalId })
    const again = await otherBooking.present(token, at(1).tenantId, { arrivalId })
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(first.body)
    expect(first.body).toMatchObject({ arrivalId, consumedAt: expect.stringMatching(/Z$/) })
  })

  it('that was accepted first is still accepted after the token has expired', async () => {
    const { handoffId } = await mintForNewGuest(url, at(1))
    const body = consumption({ tenantId: at(1).tenantId, arrivalId: newId('bha') })
    expect((await booking.consume(handoffId, body)).status).toBe(200)
    await age(handoffId, 3_000)
    expect((await booking.consume(handoffId, body)).status).toBe(200)
    const late = await booking.consume(handoffId, consumption({ tenantId: at(1).tenantId }))
    expect([late.status, late.code]).toEqual([409, `${CODE}HANDOFF_REPLAYED`])
  })

  it('with another tenant or an unknown handoff gets 404', async () => {
    const { handoffId } = await mintForNewGuest(url, at(1))
    const elsewhere = await booking.consume(handoffId, consumption({ tenantId: at(2).tenantId }))
    const unknown = await booking.consume(newId('bhd'), consumption({ tenantId: at(1).tenantId }))
    const otherTenant = await booking.consume(handoffId, consumption({ tenantId: newId('tnt') }))
    expect([elsewhere.status, unknown.status, otherTenant.status]).toEqual([404, 404, 404])
    expect(elsewhere.code).toBe(unknown.code)
    expect(await rowOf(handoffId)).toMatchObject({ consumed: false, replay_attempts: 0 })
  })

  it.each([
    [-10, 200],
    [50, 200],
    [61, 410],
    [86_400, 410],
  ])('%d seconds after the expiry by the database’s clock gets %d', async (seconds, status) => {
    const { handoffId } = await mintForNewGuest(url, at(1))
    await age(handoffId, seconds)
    const response = await booking.consume(handoffId, consumption({ tenantId: at(1).tenantId }))
    expect(response.status).toBe(status)
    expect(response.code).toBe(status === 410 ? `${CODE}HANDOFF_EXPIRED` : undefined)
    expect(await rowOf(handoffId)).toMatchObject({ consumed: status === 200 })
  })

  it('is counted by its outcome', async () => {
    const { tenantId } = at(1)
    const [used, over] = [await mintForNewGuest(url, at(1)), await mintForNewGuest(url, at(1))]
    const first = consumption({ tenantId })
    for (const body of [first, first, consumption({ tenantId })]) {
      await booking.consume(used.handoffId, body)
    }
    await age(over.handoffId, 100)
    await booking.consume(over.handoffId, first)
    await booking.consume(newId('bhd'), first)
    const metrics = await (await fetch(`${fixture.service.internalUrl}/metrics`)).text()
    for (const outcome of ['consumed', 'repeated', 'replayed', 'expired', 'unknown']) {
      expect(metrics).toMatch(
        new RegExp(`consumer_handoff_consume_total\\{outcome="${outcome}"\\} [1-9]`),
      )
    }
    expect(metrics).toMatch(/consumer_handoff_mint_total\{outcome="minted"\} [1-9]/)
  })
})

describe('callers of the consume route', () => {
  it.each([
    ['a caller without credentials', {}, 401],
    ['a caller without the secret', credentials('bff-tenant-booking-service', 'x'.repeat(40)), 401],
    ['another service', credentials('bff-backoffice-service'), 403],
    ['ourselves', credentials('bff-consumer-service'), 403],
  ])('%s is rejected', async (_who, headers, status) => {
    const { handoffId } = await mintForNewGuest(url, at(2))
    const body = consumption({ tenantId: at(2).tenantId })
    expect((await booking.consume(handoffId, body, headers as Record<string, string>)).status).toBe(
      status,
    )
    expect(await rowOf(handoffId)).toMatchObject({ consumed: false })
  })

  it('a secret is rejected where services authenticate with Google’s tokens', async () => {
    const verifier = createServiceVerifier(
      { ...fixture.service.ctx.config, serviceAuth: 'google-id-token' },
      {
        audience: 'https://bff-consumer.example.internal',
        serviceAccounts: {
          'booking@example.iam.gserviceaccount.com': 'bff-tenant-booking-service',
        },
      },
    )
    await expect(verifier.verify(credentials())).rejects.toMatchObject({ status: 401 })
  })

  it('the route exists on the internal listener only', async () => {
    const { handoffId } = await mintForNewGuest(url, at(2))
    const outside = await bookingService(url).consume(
      handoffId,
      consumption({ tenantId: at(2).tenantId }),
    )
    expect(outside.status).toBe(404)
    expect(await rowOf(handoffId)).toMatchObject({ consumed: false })
  })

  it.each([
    { arrivalId: newId('bhd') as string as HandoffArrivalId },
    { consumedByBffInstance: 'a\nb' },
    { consumedByBffInstance: '' },
    { extra: 1 },
  ])('%j is rejected', async (over) => {
    const { handoffId } = await mintForNewGuest(url, at(2))
    const body = { ...consumption({ tenantId: at(2).tenantId }), ...over }
    expect((await booking.consume(handoffId, body)).status).toBe(400)
  })
})

describe('SEC-H09 previews of a link', () => {
  const PREVIEWS = [
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'WhatsApp/2.23.20.0',
    'TelegramBot (like TwitterBot)',
    'Twitterbot/1.0',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  ]
  type Visit = { readonly method?: string; readonly headers?: Record<string, string> }
  const VISITS: [string, Visit][] = [
    ['GET', {}],
    ['HEAD', { method: 'HEAD' }],
    ['OPTIONS', { method: 'OPTIONS' }],
    ['prefetch', { headers: { 'sec-purpose': 'prefetch', purpose: 'prefetch' } }],
    ['prerender', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ...PREVIEWS.map((agent): [string, Visit] => [agent, { headers: { 'user-agent': agent } }]),
  ]

  it.each(VISITS)('SEC-H09 %s leaves the token unused', async (_what, init) => {
    const { token, handoffId } = await mintForNewGuest(url, at(3))
    const headers = { ...credentials(), ...init.headers }
    const places = [
      `${fixture.service.internalUrl}/internal/handoff/${handoffId}/consume?h=${token}`,
      `${url}/book?h=${token}`,
      `${url}/bff/consumer/v1/handoff/${at(3).tenantId}/${at(3).propertyId}?h=${token}`,
    ]
    for (const place of places) {
      const { status } = await fetch(place, { ...init, headers, redirect: 'manual' })
      expect([200, 201]).not.toContain(status)
    }
    expect(await rowOf(handoffId)).toMatchObject({ consumed: false, replay_attempts: 0 })
    expect((await booking.present(token, at(3).tenantId)).status).toBe(200)
  })
})

describe('SEC-H11 a tenant suspended after minting', () => {
  it('SEC-H11 suspended before the arrival: the link is rejected and stays unused', async () => {
    const { tenantId } = at(4)
    const { token, handoffId } = await mintForNewGuest(url, at(4))
    await second.ctx.blocked.decide(tenantId, { blocked: true, decidedAtMs: Date.now() })
    for (const each of [booking, otherBooking]) {
      const rejected = await each.present(token, tenantId)
      expect([rejected.status, rejected.code]).toEqual([403, `${CODE}TENANT_SUSPENDED`])
    }
    expect(await rowOf(handoffId)).toMatchObject({ consumed: false, replay_attempts: 0 })
    await second.ctx.blocked.decide(tenantId, { blocked: false, decidedAtMs: Date.now() })
    expect((await booking.present(token, tenantId)).status).toBe(200)
  })

  it('SEC-H11 applies when only the tenant service reports the suspension', async () => {
    const { tenantId } = at(5)
    const { token, handoffId } = await mintForNewGuest(url, at(5))
    fixture.upstreams.suspended.add(tenantId)
    await fixture.service.ctx.cache.invalidate([`tenant:${tenantId}`])
    expect((await booking.present(token, tenantId)).status).toBe(403)
    expect(await rowOf(handoffId)).toMatchObject({ consumed: false })
  })
})

describe('a replay', () => {
  const replay = async (handoffId: string, tenantId: TenantId) => {
    await booking.consume(handoffId, consumption({ tenantId }))
    expect((await booking.consume(handoffId, consumption({ tenantId }))).status).toBe(409)
    await fixture.service.ctx.background[Symbol.asyncDispose]()
  }

  it('is published once and raises the score of the browser once, however often it is repeated', async () => {
    const { handoffId, guest } = await mintForNewGuest(url, at(6))
    await replay(handoffId, at(6).tenantId)
    await replay(handoffId, at(6).tenantId)
    expect(await suspicionsOf(handoffId)).toHaveLength(1)
    const session = await fixture.service.ctx.sessions.find(guest.id)
    const penalty = `bff-consumer-service:v1:bot:penalty:${hashedPart(session?.data.cookieFingerprintHash ?? '')}`
    expect(await fixture.service.ctx.sessionRedis.get(penalty)).toBe('1')
  })

  it('C8 is not published after consent was withdrawn or the session was deleted', async () => {
    const withdrawn = await mintForNewGuest(url, at(6))
    await fixture.service.ctx.sessions.update(
      await sessionBy(fixture.service, withdrawn.guest),
      (data) => ({
        ...data,
        flags: { ...data.flags, consentTelemetry: false },
      }),
    )
    const gone = await mintForNewGuest(url, at(6))
    await fixture.service.ctx.sessions.clear(gone.guest.id)
    for (const { handoffId } of [withdrawn, gone]) {
      await replay(handoffId, at(6).tenantId)
      expect(await suspicionsOf(handoffId)).toEqual([])
      expect(await rowOf(handoffId)).toMatchObject({ replay_attempts: 1 })
    }
  })
})

it('P11 handoff-prune deletes handoffs that expired over an hour ago, and no others', async () => {
  const { guest, handoffId: recent } = await mintForNewGuest(url, at(7))
  const old = await mint(url, guest.cookie, at(7))
  const oldId = String(old.body['handoffId']) as HandoffId
  await age(recent, 3_500)
  await age(oldId, 3_700)
  const { outcome } = await runJob(jobHost(service, fixture.service.ctx), 'handoff-prune')
  expect(outcome).toBe('done')
  expect(await rowOf(oldId)).toBeUndefined()
  expect(await rowOf(recent)).toBeDefined()
})

function consumption(over: { tenantId: TenantId; arrivalId?: HandoffArrivalId }) {
  return { arrivalId: newId('bha'), consumedByBffInstance: 'booking-1', ...over }
}
