import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rejectionOf, send, serviceHeaders } from '../start-sandbox.ts'
import { houseOf, PUBLIC_URL, type Served, serveProperties, world } from './property-fixture.ts'

const gulistan = houseOf('gulistan-hotel')
const jami = houseOf('jami-hotels')

describe('reading properties', () => {
  let served: Served
  beforeAll(async () => {
    served = await serveProperties()
  })
  afterAll(async () => {
    await served[Symbol.asyncDispose]()
  })

  it('returns all data of a house in three languages', async () => {
    const { propertyId } = gulistan
    const detail = await served.properties.getProperty({ params: { propertyId } })
    expect(detail).toMatchObject({
      propertyId,
      tenantId: gulistan.tenantId,
      version: 1,
      name: gulistan.name,
      description: gulistan.description,
      timeZone: 'Asia/Kabul',
      propertyType: 'hotel',
      starRating: 4,
      address: {
        localizedLine: gulistan.localizedAddressLine,
        neighbourhood: 'Shahr-e Naw',
        neighbourhoodName: { default: 'Shahr-e Naw', localized: { 'fa-AF': 'شهر نو' } },
        country: 'AF',
        city: { key: 'kabul', name: { default: 'Kabul', localized: { 'fa-AF': 'کابل' } } },
      },
      policies: { checkInTime: '14:00', checkOutTime: '11:00', cancellation: { kind: 'free' } },
    })
    expect(detail.amenities.map(({ code }) => code)).toEqual(gulistan.amenities)
    const texts = [detail.policies.cancellation.text, ...detail.amenities.map(({ name }) => name)]
    for (const { localized } of texts) {
      expect(Object.keys(localized ?? {}).toSorted()).toEqual(['fa-AF', 'ps-AF'])
    }
    expect(detail.policies.houseRules.map(({ code }) => code)).toContain('no-alcohol')
  })

  it('lists room types with their limits, beds and photos', async () => {
    const { propertyId, roomTypes } = gulistan
    const detail = await served.properties.getProperty({ params: { propertyId } })
    expect(detail.roomTypes.map(({ roomTypeId }) => roomTypeId)).toEqual(
      roomTypes.map(({ roomTypeId }) => roomTypeId),
    )
    const [king] = detail.roomTypes
    expect(king).toMatchObject({ adultsMax: 2, childrenMax: 1, occupancyMax: 3, roomCount: 16 })
    expect(king?.beds).toEqual([{ kind: 'king', count: 1 }])
    expect(king?.photos.length).toBe(2)
  })

  it('has one hero photo, and a URL for each photo', async () => {
    const { propertyId, photoCount } = gulistan
    const { photos } = await served.properties.getProperty({ params: { propertyId } })
    expect(photos.length).toBe(photoCount)
    expect(photos.filter(({ isHero }) => isHero)).toEqual([photos[0]])
    expect(new Set(photos.map(({ url }) => url)).size).toBe(photoCount)
    for (const { url, photoId } of photos) expect(url).toBe(`${PUBLIC_URL}/photos/${photoId}.svg`)
    expect(photos[0]?.alt.localized?.['fa-AF']).toContain(gulistan.name.localized['fa-AF'])
  })

  it('returns 404 for an unknown house', async () => {
    const call = served.properties.getProperty({ params: { propertyId: newId('ppt') } })
    expect(await rejectionOf(call)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
  })

  it('requires service credentials', async () => {
    const path = `/upstreams/property/api/v1/properties/${gulistan.propertyId}`
    expect((await send(served.url, 'GET', path)).status).toBe(401)
    const malformed = path.replace(/.$/, 'u')
    const headers = serviceHeaders()
    expect((await send(served.url, 'GET', malformed, { headers })).status).toBe(400)
  })

  it('summarises in the requested order, without duplicates and unknown ids', async () => {
    const propertyIds = [jami.propertyId, newId('ppt'), gulistan.propertyId, jami.propertyId]
    const { properties } = await served.properties.summaries({ body: { propertyIds } })
    expect(properties.map(({ propertyId }) => propertyId)).toEqual([
      jami.propertyId,
      gulistan.propertyId,
    ])
    expect(properties[0]).toMatchObject({
      city: { key: 'herat' },
      hero: { isHero: true },
      cancellationKind: 'free',
      roomCount: 31,
    })
  })

  it('summarises a hundred at most', async () => {
    const propertyIds = Array.from({ length: 101 }, () => newId('ppt'))
    const call = served.properties.summaries({ body: { propertyIds } })
    expect(await rejectionOf(call)).toBe('MELMASTOON.GENERAL.VALIDATION_FAILED')
  })

  it('pages through the houses of a tenant, and of no other', async () => {
    const { tenantId } = houseOf('caravan-istanbul')
    const own = world.properties.filter((each) => each.tenantId === tenantId)
    const seen: string[] = []
    let cursor: (typeof own)[number]['propertyId'] | undefined
    do {
      const query = { limit: 2, ...(cursor && { cursor }) }
      const page = await served.properties.listByTenant({ query }, { tenantId })
      expect(page.properties.length).toBeLessThanOrEqual(2)
      seen.push(...page.properties.map(({ propertyId }) => propertyId))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual(own.map(({ propertyId }) => propertyId).toSorted())
    const none = await served.properties.listByTenant({ query: {} }, { tenantId: newId('tnt') })
    expect(none).toEqual({ properties: [] })
  })

  it('lists the rooms of a house to its own tenant only', async () => {
    const { propertyId, tenantId, roomTypes } = gulistan
    const { rooms } = await served.properties.listRooms({ params: { propertyId } }, { tenantId })
    expect(rooms.length).toBe(roomTypes.reduce((sum, type) => sum + type.rooms.length, 0))
    expect(rooms[0]).toMatchObject({ number: '101', floor: 1, status: 'active' })
    const foreign = served.properties.listRooms(
      { params: { propertyId } },
      { tenantId: jami.tenantId },
    )
    expect(await rejectionOf(foreign)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
  })

  it('requires a tenant', async () => {
    const path = `/upstreams/property/api/v1/properties/${gulistan.propertyId}/rooms`
    const { body } = await send(served.url, 'GET', path, { headers: serviceHeaders() })
    expect(body['code']).toBe('MELMASTOON.TENANT.CONTEXT_REQUIRED')
  })
})
