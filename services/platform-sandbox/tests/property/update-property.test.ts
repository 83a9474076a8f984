import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drainEvents, refusalOf } from '../start-sandbox.ts'
import { houseOf, type Served, serveProperties } from './property-fixture.ts'

const UPDATED = 'melmastoon.property.updated.v1'

interface Told {
  readonly propertyId: string
  readonly propertyVersion: number
}

/** Keys have sixteen characters at least. */
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
    const events = await drainEvents(served.stage, UPDATED)
    const payloads = events.map(({ payload }) => payload as Told)
    return payloads.filter((each) => each.propertyId === propertyId)
  }

  it('makes a new version, tells the world once, and replays', async () => {
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

  it('changes one policy and keeps the others', async () => {
    const before = houseOf('rawza-palace')
    const changed = await update('rawza-palace', { policies: { checkInTime: '16:00' } }, 'policy')
    expect(changed.policies).toMatchObject({
      checkInTime: '16:00',
      checkOutTime: before.checkOutTime,
      cancellation: { kind: before.cancellation },
    })
    expect(changed.name).toEqual(before.name)
  })

  it('makes no version of a change that changes nothing', async () => {
    const { amenities } = houseOf('anar-house')
    const same = await update('anar-house', { amenityCodes: [...amenities] }, 'same')
    expect(same.version).toBe(1)
    expect(await eventsOf('anar-house')).toEqual([])
  })

  it('refuses a change of an older version', async () => {
    const name = { default: 'Naranj' }
    const late = update('naranj-bagh', { name, expectedVersion: 7 }, 'late')
    expect(await refusalOf(late)).toBe('MELMASTOON.GENERAL.CONFLICT')
    const current = await update('naranj-bagh', { name, expectedVersion: 1 }, 'current')
    expect(current.version).toBe(2)
  })

  it('refuses what is no amenity, no time, or not a member', async () => {
    const invalid = 'MELMASTOON.GENERAL.VALIDATION_FAILED'
    const bodies = [
      { amenityCodes: ['wifi', 'helipad'] },
      { policies: { checkInTime: '25:00' } },
      { starRating: 5 },
    ]
    for (const [index, body] of bodies.entries()) {
      const refused = update('jami-hotels', body, `bad-${index}`)
      expect(await refusalOf(refused)).toBe(invalid)
    }
    expect(await eventsOf('jami-hotels')).toEqual([])
  })

  it('is not there for another tenant', async () => {
    const { propertyId } = houseOf('creek-pearl')
    const { tenantId } = houseOf('margalla-view')
    const foreign = served.properties.updateProperty(
      { params: { propertyId }, body: { name: { default: 'Mine' } } },
      { tenantId, idempotencyKey: keyOf('foreign') },
    )
    expect(await refusalOf(foreign)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
    expect(await eventsOf('creek-pearl')).toEqual([])
  })

  it('numbers the versions of changes made at once', async () => {
    const names = Array.from({ length: 6 }, (_, index) => ({ default: `Margalla ${index}` }))
    const changes = names.map((name, index) => update('margalla-view', { name }, `race-${index}`))
    const versions = (await Promise.all(changes)).map(({ version }) => version)
    expect(versions.toSorted()).toEqual([2, 3, 4, 5, 6, 7])
    const told = (await eventsOf('margalla-view')).map(({ propertyVersion }) => propertyVersion)
    expect(told.toSorted()).toEqual([2, 3, 4, 5, 6, 7])
  })
})
