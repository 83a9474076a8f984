import { idToUuid, type PropertyId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drainEvents, rejectionOf } from '../start-sandbox.ts'
import { houseOf, type Served, serveProperties } from './property-fixture.ts'

const UPDATED = 'melmastoon.property.updated.v1'

interface UpdatedPayload {
  readonly propertyId: string
  readonly propertyVersion: number
}

/** Keys have at least sixteen characters. */
function keyOf(intent: string): string {
  return `change-of-property-${intent}`
}

describe('changing a property', () => {
  let served: Served
  beforeAll(async () => {
    served = await serveProperties()
  })
  afterAll(async () => {
    await served[Symbol.asyncDispose]()
  })

  function update(slug: string, body: object, key: string) {
    const { propertyId, tenantId } = houseOf(slug)
    const call = { tenantId, idempotencyKey: keyOf(key) }
    return served.properties.updateProperty({ params: { propertyId }, body }, call)
  }

  async function eventsOf(slug: string) {
    const { propertyId } = houseOf(slug)
    const events = await drainEvents(served.environment, UPDATED)
    const payloads = events.map(({ payload }) => payload as UpdatedPayload)
    return payloads.filter((each) => each.propertyId === propertyId)
  }

  it('creates a new version, publishes one event, and replays', async () => {
    const name = { default: 'Noor Serai & Sons', localized: { 'fa-AF': 'سرای نور و پسران' } }
    const first = await update('noor-serai', { name, amenityCodes: ['wifi', 'hammam'] }, 'rename')
    expect(first).toMatchObject({ version: 2, name })
    expect(first.amenities.map(({ code }) => code)).toEqual(['wifi', 'hammam'])
    const again = await update('noor-serai', { name, amenityCodes: ['wifi', 'hammam'] }, 'rename')
    expect(again).toEqual(first)
    const { propertyId, tenantId } = houseOf('noor-serai')
    expect(await served.properties.getProperty({ params: { propertyId } })).toEqual(first)
    expect(await eventsOf('noor-serai')).toEqual([
      { tenantId, propertyId, propertyVersion: 2, updatedAt: first.updatedAt },
    ])
  })

  it('changes one policy and preserves the others', async () => {
    const before = houseOf('rawza-palace')
    const changed = await update('rawza-palace', { policies: { checkInTime: '16:00' } }, 'policy')
    expect(changed.policies).toMatchObject({
      checkInTime: '16:00',
      checkOutTime: before.checkOutTime,
      cancellation: { kind: before.cancellation },
    })
    expect(changed.name).toEqual(before.name)
  })

  it('creates no version without a change', async () => {
    const { amenities } = houseOf('anar-house')
    const same = await update('anar-house', { amenityCodes: [...amenities] }, 'same')
    expect(same.version).toBe(1)
    expect(await eventsOf('anar-house')).toEqual([])
  })

  it('rejects a change of an older version', async () => {
    const name = { default: 'Naranj' }
    const late = update('naranj-bagh', { name, expectedVersion: 7 }, 'late')
    expect(await rejectionOf(late)).toBe('MELMASTOON.GENERAL.CONFLICT')
    const current = await update('naranj-bagh', { name, expectedVersion: 1 }, 'current')
    expect(current.version).toBe(2)
  })

  it('rejects unknown amenities, invalid times and unknown members', async () => {
    const invalid = 'MELMASTOON.GENERAL.VALIDATION_FAILED'
    const bodies = [
      { amenityCodes: ['wifi', 'helipad'] },
      { policies: { checkInTime: '25:00' } },
      { starRating: 5 },
    ]
    for (const [index, body] of bodies.entries()) {
      const rejected = update('jami-hotels', body, `bad-${index}`)
      expect(await rejectionOf(rejected)).toBe(invalid)
    }
    expect(await eventsOf('jami-hotels')).toEqual([])
  })

  it('returns 404 for another tenant', async () => {
    const { propertyId } = houseOf('creek-pearl')
    const { tenantId } = houseOf('margalla-view')
    const foreign = served.properties.updateProperty(
      { params: { propertyId }, body: { name: { default: 'Mine' } } },
      { tenantId, idempotencyKey: keyOf('foreign') },
    )
    expect(await rejectionOf(foreign)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
    expect(await eventsOf('creek-pearl')).toEqual([])
  })

  it('loses none of two concurrent changes', async () => {
    const { propertyId } = houseOf('margalla-view')
    const name = { default: 'Margalla Hills' }
    const policies = { checkInTime: '17:30' }
    const changes = await startTogether(propertyId, [
      () => update('margalla-view', { name }, 'race-name'),
      () => update('margalla-view', { policies }, 'race-policy'),
    ])
    const versions = changes.map(({ version }) => version)
    expect(new Set(versions)).toEqual(new Set([2, 3]))
    const detail = await served.properties.getProperty({ params: { propertyId } })
    expect(detail).toMatchObject({ version: 3, name, policies })
    const observed = await eventsOf('margalla-view')
    expect(observed.map(({ propertyVersion }) => propertyVersion)).toEqual([2, 3])
  })

  /** Both wait for the same row before either continues. */
  async function startTogether<T>(propertyId: PropertyId, starts: readonly (() => Promise<T>)[]) {
    const holder = new Client({ connectionString: served.environment.adminUrl })
    await holder.connect()
    try {
      const held = 'select 1 from sandbox.property_house where property_id = $1 for update'
      await holder.query('begin')
      await holder.query(held, [idToUuid(propertyId)])
      const started = Promise.all(starts.map((start) => start()))
      await eventually(async () => {
        const [row] = await served.environment.query<{
          n: number
        }>(`select count(*)::int as n from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`)
        expect(row?.n).toBe(starts.length)
      })
      await holder.query('commit')
      return await started
    } finally {
      await holder.end()
    }
  }
})
