import { createUpstreamConnections } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type HandoffArrivalId, type HandoffId, idToUuid, newId } from '@melmastoon/domain'
import { createRegistry } from '@melmastoon/events'
import { handoffConsumed } from '@melmastoon/platform-events'
import { handoffContract } from '@melmastoon/upstream-contracts/handoff'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintForNewGuest, type Target } from '../harness/handoff-client.ts'
import { causeOf, startPlatformPublisher } from '../harness/platform-events.ts'
import { type Fixture, startFixture } from '../harness/start-consumer.ts'

const registry = createRegistry([handoffConsumed])

let fixture: Fixture
let platform: ReturnType<typeof startPlatformPublisher>
let connections: ReturnType<typeof createUpstreamConnections>
let client: ReturnType<typeof connect>
let hotel: Target

beforeAll(async () => {
  fixture = await startFixture()
  platform = startPlatformPublisher(fixture.environment)
  const { ctx, internalUrl } = fixture.service
  const config = { ...ctx.config, service: 'bff-tenant-booking-service' }
  connections = createUpstreamConnections(config, ctx)
  client = connect(internalUrl)
  const [first] = fixture.upstreams.hotels
  if (first === undefined) throw new Error('no hotel')
  hotel = first
})
afterAll(async () => {
  await connections[Symbol.asyncDispose]()
  await platform[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

/** The client that the booking service builds from the same contract as the route. */
const connect = (baseUrl: string) =>
  connections.connect(handoffContract, { baseUrl, timeoutMs: 5_000, retries: 0 })

async function consume(id: HandoffId, arrivalId: HandoffArrivalId) {
  using deadline = createDeadline(5_000)
  const body = { tenantId: hotel.tenantId, arrivalId, consumedByBffInstance: 'booking-1' }
  return await client.consume({ params: { id }, body }, { deadline })
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof UpstreamRejection ? error.code : String(error)),
  )

const newHandoff = async () =>
  (await mintForNewGuest(fixture.service.url, hotel)).handoffId as HandoffId

const CONSUMED_AT = '2026-04-23T09:14:22.000Z'

function eventOf(handoffId: HandoffId, arrivalId: HandoffArrivalId, tenantId = hotel.tenantId) {
  const payload = {
    tenantId,
    handoffId,
    handoffArrivalId: arrivalId,
    consumerSessionId: newId('gms'),
    propertyId: hotel.propertyId,
    campaign: { source: 'radio' },
    mintedAt: '2026-04-23T09:14:00.000Z',
    consumedAt: CONSUMED_AT,
    elapsedMs: 22_000,
    hmacSignatureFingerprint: `sha256:${'9c'.repeat(32)}`,
  }
  return registry.build(handoffConsumed.subject, payload, causeOf(tenantId))
}

/** Publishes the event and waits until the service has processed it. */
async function deliver(event: ReturnType<typeof eventOf>) {
  await platform.publish(event)
  const processed = async () => {
    const rows = await fixture.environment.query<{ message_id: string }>(
      `select message_id from bff_consumer.inbox
        where message_id = '${event.eventId}' and processed_at is not null`,
    )
    return rows.length
  }
  await expect.poll(processed, { timeout: 10_000, interval: 20 }).toBe(1)
}

interface Row {
  consumed: boolean
  consumed_at: Date | null
  arrival_id: string | null
  consumed_by_bff_instance: string | null
  replay_attempts: number
}

async function rowOf(handoffId: HandoffId) {
  const [row] = await fixture.environment.query<Row>(
    `select consumed, consumed_at, arrival_id, consumed_by_bff_instance, replay_attempts
      from bff_consumer.handoff_replay_log where handoff_id = '${idToUuid(handoffId)}'`,
  )
  return row
}

describe('D4 the event of an arrival', () => {
  it('D4 consumes the handoff if the internal call never arrived', async () => {
    const [handoffId, arrivalId] = [await newHandoff(), newId('bha')]
    await deliver(eventOf(handoffId, arrivalId))
    expect(await rowOf(handoffId)).toEqual({
      consumed: true,
      consumed_at: new Date(CONSUMED_AT),
      arrival_id: idToUuid(arrivalId),
      consumed_by_bff_instance: 'platform-test',
      replay_attempts: 0,
    })
    expect(await consume(handoffId, arrivalId)).toEqual({
      handoffId,
      arrivalId,
      consumedAt: CONSUMED_AT,
    })
    expect(await codeOf(consume(handoffId, newId('bha')))).toBe(
      'MELMASTOON.BFF.CONSUMER.HANDOFF_REPLAYED',
    )
  })

  it('D4 changes nothing after the call, when it is repeated, or for another arrival', async () => {
    const [handoffId, arrivalId] = [await newHandoff(), newId('bha')]
    await consume(handoffId, arrivalId)
    const before = await rowOf(handoffId)
    expect(before?.consumed_by_bff_instance).toBe('booking-1')
    const event = eventOf(handoffId, arrivalId)
    await deliver(event)
    await deliver(event)
    await deliver(eventOf(handoffId, arrivalId))
    await deliver(eventOf(handoffId, newId('bha')))
    expect(await rowOf(handoffId)).toEqual(before)
  })

  it('D4 consumes the handoff also after its expiry: the arrival was in time', async () => {
    const [handoffId, arrivalId] = [await newHandoff(), newId('bha')]
    await fixture.environment.query(`update bff_consumer.handoff_replay_log
      set minted_at = now() - interval '40 minutes', expires_at = now() - interval '10 minutes'
      where handoff_id = '${idToUuid(handoffId)}'`)
    expect(await codeOf(consume(handoffId, arrivalId))).toBe(
      'MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED',
    )
    await deliver(eventOf(handoffId, arrivalId))
    expect(await rowOf(handoffId)).toMatchObject({ consumed: true })
  })

  it('D4 of another tenant or of an unknown handoff consumes nothing', async () => {
    const handoffId = await newHandoff()
    await deliver(eventOf(handoffId, newId('bha'), newId('tnt')))
    await deliver(eventOf(newId('bhd'), newId('bha')))
    expect(await rowOf(handoffId)).toMatchObject({ consumed: false, arrival_id: null })
  })

  it('D4 concurrent with the call: one consumption, by one of them', async () => {
    const handoffs = await Promise.all(Array.from({ length: 8 }, newHandoff))
    await Promise.all(
      handoffs.map(async (handoffId) => {
        const arrivalId = newId('bha')
        const [response] = await Promise.all([
          consume(handoffId, arrivalId),
          deliver(eventOf(handoffId, arrivalId)),
        ])
        const row = await rowOf(handoffId)
        expect(row).toMatchObject({ consumed: true, arrival_id: idToUuid(arrivalId) })
        expect(response.consumedAt).toBe(row?.consumed_at?.toISOString())
        expect(row?.replay_attempts).toBe(0)
      }),
    )
  })
})

describe('the contract of the consume route', () => {
  it('lists the codes that a client receives for a replay and an unknown handoff', async () => {
    const { errorCodes } = handoffContract.operations.consume
    const handoffId = await newHandoff()
    await consume(handoffId, newId('bha'))
    const codes = [
      await codeOf(consume(handoffId, newId('bha'))),
      await codeOf(consume(newId('bhd'), newId('bha'))),
    ]
    expect(codes).toEqual([
      'MELMASTOON.BFF.CONSUMER.HANDOFF_REPLAYED',
      'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
    ])
    expect(errorCodes).toEqual(expect.arrayContaining(codes))
  })
})
