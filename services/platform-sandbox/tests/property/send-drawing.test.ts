import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { photoIdOf, photoPath } from '../../src/drawings/photo-id.ts'
import { send } from '../start-sandbox.ts'
import { houseOf, type Served, serveProperties } from './property-fixture.ts'

const NOT_FOUND = 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'

describe('drawings', () => {
  let served: Served
  beforeAll(async () => {
    served = await serveProperties()
  })
  afterAll(async () => {
    await served[Symbol.asyncDispose]()
  })

  it('are public, embeddable and immutable', async () => {
    const { propertyId } = houseOf('gulistan-hotel')
    const detail = await served.properties.getProperty({ params: { propertyId } })
    const photos = [...detail.photos, ...detail.roomTypes.flatMap((type) => type.photos)]
    for (const { url } of photos) {
      const response = await send(served.url, 'GET', new URL(url).pathname)
      expect(response.status).toBe(200)
      expect(response.text).toMatch(/^<svg .*<\/svg>$/s)
    }
    const { headers } = await send(served.url, 'GET', photoPath(photoIdOf(propertyId, 0)))
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('C22 have dimensions, a category and bitmaps in several widths', async () => {
    const { propertyId } = houseOf('gulistan-hotel')
    const { photos } = await served.properties.getProperty({ params: { propertyId } })
    const [hero] = photos
    expect(hero).toMatchObject({ width: 800, height: 500, category: 'exterior' })
    expect(new Set(photos.map(({ category }) => category)).size).toBeGreaterThan(3)
    const sources = hero?.sources ?? []
    expect(sources.map(({ width, format }) => `${width} ${format}`)).toEqual([
      '320 webp',
      '640 webp',
      '1280 webp',
      '640 jpeg',
      '1280 jpeg',
    ])
    for (const { url, format } of sources) {
      const { status, headers } = await send(served.url, 'GET', new URL(url).pathname)
      expect([status, headers.get('content-type')]).toEqual([200, `image/${format}`])
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    }
  })

  it('are deterministic', async () => {
    const path = photoPath(photoIdOf(houseOf('jami-hotels').propertyId, 1))
    const [one, two] = [await send(served.url, 'GET', path), await send(served.url, 'GET', path)]
    expect(one.text).toBe(two.text)
  })

  it('show a logo per tenant', async () => {
    const logos = ['gulistan-hotel', 'jami-hotels', 'creek-pearl'].map(async (slug) => {
      const { text, status } = await send(served.url, 'GET', `/logos/${houseOf(slug).tenantId}.svg`)
      expect(status).toBe(200)
      return text
    })
    expect(new Set(await Promise.all(logos)).size).toBe(3)
  })

  it('return 404 for unknown houses, photos and tenants', async () => {
    const { propertyId, photoCount, roomTypes } = houseOf('gulistan-hotel')
    for (const path of [
      photoPath(newId('pht')),
      photoPath(photoIdOf(propertyId, photoCount)),
      photoPath(photoIdOf(propertyId, 12 + roomTypes.length * 2)),
      `/photos/${propertyId}.svg`,
      `/photos/${photoIdOf(propertyId, 0)}/321.webp`,
      `/photos/${photoIdOf(propertyId, 0)}/320.jpeg`,
      `/photos/${newId('pht')}/320.webp`,
      '/photos/..%2f..%2fsecret.svg',
      '/photos/x.svg',
      `/logos/${newId('tnt')}.svg`,
      '/logos/unknown.svg',
    ]) {
      const response = await send(served.url, 'GET', path)
      expect([response.status, response.body['code']]).toEqual([404, NOT_FOUND])
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  })
})
