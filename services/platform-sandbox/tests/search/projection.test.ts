import { idToUuid, newId, type PropertyId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import {
  listingIndexed,
  platformRegistry,
  tenantReactivated,
  tenantSuspended,
} from '@melmastoon/platform-events'
import { expectValidEvents } from '@melmastoon/testkit'
import { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { propertyContract } from '@melmastoon/upstream-contracts/property'
import { searchContract } from '@melmastoon/upstream-contracts/search'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WorldProperty } from '../../src/world/world.ts'
import { clientFor, contracts, drainEvents, rejectionOf, startSandbox } from '../start-sandbox.ts'
import { day, requestOf, startSearch, worldOf } from './start-search.ts'

const world = worldOf(30)
let running: Awaited<ReturnType<typeof startSearch>>
let other: Awaited<ReturnType<typeof startSandbox>>

/** Two simulated processes: each has its own index. */
beforeAll(async () => {
  running = await startSearch(world)
  other = await startSandbox(running.environment)
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
})

const stay = { checkIn: day(200), checkOut: day(203) }
const everywhere = requestOf({ limit: 200, stay })
const waiting = { timeout: 10_000 }

function propertyAt(at: number): WorldProperty {
  const property = world.properties[at]
  if (property === undefined) throw new TypeError('a small world')
  return property
}

async function idsAt(url: string, body = everywhere): Promise<PropertyId[]> {
  const { items } = await clientFor(searchContract, url).query({ body })
  return items.map(({ propertyId }) => propertyId)
}

const cause = {
  producerInstance: 'test',
  tenantId: null,
  requestId: newId('req'),
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  occurredAt: new Date(),
}
const both = () => [running.url, other.url]
const own = ({ tenantId }: WorldProperty) => ({ tenantId, idempotencyKey: newId('req') })

describe('a suspended tenant', () => {
  it('disappears from every response of every process, and returns', async () => {
    const { tenantId, propertyId } = propertyAt(25)
    const tenants = clientFor(tenantContract, running.url)
    const call = () => ({ tenantId, idempotencyKey: newId('req') })
    const params = { tenantId }
    expect(await idsAt(running.url)).toContain(propertyId)
    await tenants.suspend({ params, body: { reasonCode: 'fraud' } }, call())
    for (const url of both()) {
      await expect.poll(() => idsAt(url), waiting).not.toContain(propertyId)
      const search = clientFor(searchContract, url)
      const hotel = search.hotel({ params: { propertyId } })
      expect(await rejectionOf(hotel)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
      const { occupancy, currency } = everywhere
      const body = { propertyIds: [propertyId], stay, occupancy, currency }
      const [preview] = (await clientFor(pricingContract, url).preview({ body })).previews
      expect(preview).toEqual({ propertyId, status: 'unavailable', reason: 'closed' })
    }
    await tenants.reactivate({ params, body: {} }, call())
    for (const url of both()) await expect.poll(() => idsAt(url), waiting).toContain(propertyId)
    const events = await drainEvents(running.environment, listingIndexed.subject)
    const reasons = events
      .map(({ payload }) => payload as { propertyId: string; reason: string })
      .filter((payload) => payload.propertyId === propertyId)
      .map(({ reason }) => reason)
    expect(reasons).toEqual(['tenant_suspended', 'tenant_reactivated'])
  })
})

describe('a late tenant event', () => {
  it('does not overwrite a newer status', async () => {
    const { tenantId, propertyId } = propertyAt(12)
    const { ctx } = running.sandbox
    const about = { tenantId, slug: 'late' }
    const handle = async (event: OutboxEvent) => {
      const handler = ctx.modules.search.subscriptions?.find(({ definitions }) =>
        definitions.some(({ subject }) => subject === event.envelope.subject),
      )
      if (handler === undefined) throw new TypeError('no handler')
      await ctx.db.transaction(async (tx) => await handler.handle?.(tx, event))
      await handler.afterCommit(event)
    }
    const suspend = (suspendedAt: string) => {
      const payload = { ...about, reasonCode: 'fraud', suspendedAt }
      return handle(ctx.registry.build(tenantSuspended.subject, payload, cause))
    }
    const reactivatedAt = '2026-01-01T11:00:00.000Z'
    const payload = { ...about, reactivatedAt }
    await handle(ctx.registry.build(tenantReactivated.subject, payload, cause))
    await suspend('2026-01-01T10:00:00.000Z')
    expect(await idsAt(running.url)).toContain(propertyId)
    await suspend('2026-01-01T12:00:00.000Z')
    expect(await idsAt(running.url)).not.toContain(propertyId)
  })
})

describe('a closed tenant', () => {
  it('has no listing once its house is indexed again', async () => {
    const property = propertyAt(15)
    const { tenantId, propertyId } = property
    expect(await idsAt(running.url)).toContain(propertyId)
    await running.environment.query(
      `update sandbox.tenant_account set status = 'closed' where tenant_id = $1`,
      [idToUuid(tenantId)],
    )
    const properties = clientFor(propertyContract, running.url)
    const body = { name: { default: 'Closed for good' } }
    await properties.updateProperty({ params: { propertyId }, body }, own(property))
    for (const url of both()) {
      await expect.poll(() => idsAt(url), waiting).not.toContain(propertyId)
    }
  })
})

describe('availability', () => {
  it('reflects a hold and its release per night', async () => {
    const property = propertyAt(26)
    const { propertyId, roomTypes } = property
    const roomTypeId = roomTypes[0]?.roomTypeId ?? newId('rmt')
    const inventory = clientFor(inventoryContract, running.url)
    const before = await nightsOf(running.url, propertyId)
    const typesBefore = await roomTypesLeft(running.url, propertyId)
    const hold = await inventory.placeHold(
      {
        body: {
          propertyId,
          stay,
          items: [{ roomTypeId, rooms: 1 }],
          holder: 'a guest who searches',
        },
      },
      own(property),
    )
    const held = before.map((left, night) => (night >= 1 && night < 4 ? left - 1 : left))
    for (const url of both()) {
      await expect.poll(() => nightsOf(url, propertyId), waiting).toEqual(held)
      expect(await roomTypesLeft(url, propertyId)).toEqual(
        typesBefore.map(([id, left]) => [id, id === roomTypeId ? left - 1 : left]),
      )
    }
    const params = { allocationId: hold.allocationId }
    await inventory.releaseHold({ params, body: {} }, own(property))
    for (const url of both()) {
      await expect.poll(() => nightsOf(url, propertyId), waiting).toEqual(before)
      expect(await roomTypesLeft(url, propertyId)).toEqual(typesBefore)
    }
  })

  it('reflects the capacity, also over many months and beyond the index', async () => {
    const property = propertyAt(24)
    const { propertyId, roomTypes } = property
    const roomTypeId = roomTypes[0]?.roomTypeId ?? newId('rmt')
    const rooms = roomTypes[0]?.rooms.length ?? 0
    const inventory = clientFor(inventoryContract, running.url)
    const change = (from: number, to: number, capacity: number) =>
      inventory.changeCapacity(
        { params: { roomTypeId }, body: { from: day(from), to: day(to), capacity } },
        own(property),
      )
    const before = await nightsOf(running.url, propertyId)
    await change(201, 400, rooms + 3)
    const more = before.map((left, night) => (night >= 2 ? left + 3 : left))
    for (const url of both()) {
      await expect.poll(() => nightsOf(url, propertyId), waiting).toEqual(more)
    }
    await change(201, 400, rooms)
    await change(5_000, 5_001, 0)
    for (const url of both()) {
      await expect.poll(() => nightsOf(url, propertyId), waiting).toEqual(before)
    }
    const [known] = await running.environment.query<{ total: number }>(
      `select rooms_total as total from sandbox.search_availability
       join sandbox.search_listing using (property_id) where document ->> 'propertyId' = $1`,
      [propertyId],
    )
    const total = roomTypes.reduce((sum, type) => sum + type.rooms.length, 0)
    expect(known).toEqual({ total })
  })

  it('does not find a full house', async () => {
    const property = propertyAt(27)
    const { propertyId } = property
    const inventory = clientFor(inventoryContract, running.url)
    const query = { propertyId, from: stay.checkIn, to: day(201) }
    const { roomTypes } = await inventory.availability({ query }, own(property))
    const left = roomTypes.map(({ roomTypeId, nights }) => ({
      roomTypeId,
      rooms: Math.min(...nights.map(({ available }) => available)),
    }))
    for (const { roomTypeId, rooms } of left.filter(({ rooms: some }) => some > 0)) {
      await inventory.placeHold(
        {
          body: {
            propertyId,
            stay: { checkIn: stay.checkIn, checkOut: day(201) },
            items: [{ roomTypeId, rooms }],
            holder: roomTypeId,
          },
        },
        own(property),
      )
    }
    expect(left.some(({ rooms }) => rooms > 0)).toBe(true)
    for (const url of both()) {
      await expect.poll(() => idsAt(url), waiting).not.toContain(propertyId)
      const later = requestOf({ limit: 200, stay: { checkIn: day(201), checkOut: day(203) } })
      expect(await idsAt(url, later)).toContain(propertyId)
    }
  })
})

describe('a late commit', () => {
  it('is indexed, although a change with a higher number was indexed before', async () => {
    const [early, late] = [propertyAt(0), propertyAt(1)]
    const rename = (client: Client, { propertyId }: WorldProperty, name: string) =>
      client.query(
        `update sandbox.search_listing
           set document = jsonb_set(document, '{name,default}', to_jsonb($2::text))
           where document ->> 'propertyId' = $1`,
        [propertyId, name],
      )
    const found = (text: string) => idsAt(running.url, requestOf({ stay, filters: { text } }))
    await using slow = await connect(running.environment.adminUrl)
    await using quick = await connect(running.environment.adminUrl)
    await slow.client.query('begin')
    await rename(slow.client, early, 'Firstnumbered')
    await rename(quick.client, late, 'Secondnumbered')
    await expect.poll(() => found('secondnumbered'), waiting).toEqual([late.propertyId])
    expect(await found('firstnumbered')).toEqual([])
    await slow.client.query('commit')
    await expect.poll(() => found('firstnumbered'), waiting).toEqual([early.propertyId])
  })
})

describe('the content of a listing', () => {
  it('reflects the property, in every script, and is published once', async () => {
    const property = propertyAt(28)
    const { propertyId } = property
    const properties = clientFor(propertyContract, running.url)
    const name = { default: 'Lapis Tower', localized: { 'ps-AF': 'لاجورد', 'fa-AF': 'برج لاجورد' } }
    await properties.updateProperty({ params: { propertyId }, body: { name } }, own(property))
    for (const text of ['lapis', 'لاجورد', 'برج']) {
      const body = requestOf({ stay, filters: { text } })
      for (const url of both()) {
        await expect.poll(() => idsAt(url, body), waiting).toEqual([propertyId])
      }
    }
    const events = await drainEvents(running.environment, listingIndexed.subject)
    expect(about(events, propertyId)).toMatchObject([{ reason: 'property_updated' }])
  })

  it('reflects the payment methods of the tenant', async () => {
    const { tenantId, propertyId } = propertyAt(20)
    const tenants = clientFor(tenantContract, running.url)
    const { config } = await tenants.getTenant({ params: { tenantId } })
    const timingOf = async (url: string) => {
      const { rooms, paymentMethods } = await offersAt(url, propertyId)
      return [rooms[0]?.offers[0]?.payment.timing, ...paymentMethods]
    }
    const change = async (paymentMethods: typeof config.paymentMethods, version: number) => {
      const body = { expectedVersion: version, changes: { paymentMethods } }
      const call = { tenantId, idempotencyKey: newId('req') }
      return await tenants.updateConfig({ params: { tenantId }, body }, call)
    }
    const { config: cash } = await change(['cash_on_arrival'], config.version)
    for (const url of both()) {
      await expect.poll(() => timingOf(url), waiting).toEqual(['at_hotel', 'cash_on_arrival'])
    }
    await change(['card', 'cash_on_arrival'], cash.version)
    for (const url of both()) {
      await expect.poll(() => timingOf(url), waiting).toEqual(['either', 'card', 'cash_on_arrival'])
    }
  })

  it('reflects the prices', async () => {
    const property = propertyAt(29)
    const { propertyId } = property
    const pricing = clientFor(pricingContract, running.url)
    const { ratePlans } = await pricing.listRatePlans({ query: { propertyId } }, own(property))
    for (const { ratePlanId } of ratePlans) {
      const params = { ratePlanId }
      await pricing.changePrices({ params, body: { basisPoints: 90_000 } }, own(property))
    }
    const { items } = await running.search.query({ body: { ...everywhere, sortKey: 'price-asc' } })
    const dearest = { ...everywhere, sortKey: 'price-desc' as const, limit: 1 }
    expect(items.length).toBeGreaterThan(20)
    for (const url of both()) {
      await expect.poll(() => idsAt(url, dearest), waiting).toEqual([propertyId])
    }
    const events = await drainEvents(running.environment, listingIndexed.subject)
    expect(about(events, propertyId).at(-1)).toMatchObject({ reason: 'rate_plan_published' })
    await expectValidEvents(running.environment.adminUrl, {
      schema: contracts.schema,
      registry: platformRegistry,
    })
  })
})

async function connect(connectionString: string) {
  const client = new Client({ connectionString })
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

function about(events: readonly { payload: unknown }[], propertyId: PropertyId) {
  return events
    .map(({ payload }) => payload as { propertyId: string; reason: string })
    .filter((payload) => payload.propertyId === propertyId)
}

async function offersAt(url: string, propertyId: PropertyId) {
  const occupancy = { adults: 1, children: 0, rooms: 1 }
  const body = { stay, occupancy, currency: 'USD' as const }
  return await clientFor(searchContract, url).offers({ params: { propertyId }, body })
}

async function roomTypesLeft(url: string, propertyId: PropertyId) {
  const { rooms } = await offersAt(url, propertyId)
  return rooms.map(({ roomTypeId, roomsLeft }) => [roomTypeId, roomsLeft] as const)
}

async function nightsOf(url: string, propertyId: PropertyId): Promise<number[]> {
  const search = clientFor(searchContract, url)
  const query = { from: day(199), to: day(205) }
  const { nights } = await search.availability({ params: { propertyId }, query })
  return nights.map(({ roomsLeft }) => roomsLeft)
}
