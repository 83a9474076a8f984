import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { PAGE_PATH } from '../events/view-events.ts'
import { propertyOf } from './page-view.ts'

const hotel = newId('ppt')
const path = new RegExp(PAGE_PATH)

describe('the paths of the application', () => {
  it.each([
    '/',
    '/en',
    '/en/',
    '/search',
    '/search/map',
    '/ps-AF/search',
    '/fa-AF/wishlist',
    '/recently-viewed',
    '/compare',
    `/hotels/${hotel}`,
    `/en/hotels/${hotel}`,
  ])('%s is one', (own) => {
    expect(own).toMatch(path)
  })

  it.each([
    '',
    'search',
    '/search?q=ahmad',
    '/search#ahmad',
    '/search/',
    '/ahmad',
    '/de/search',
    '/ensearch',
    '/hotels/ahmad',
    `/hotels/${hotel}/ahmad`,
    `/hotels/${hotel.toLowerCase()}`,
    '/search\n',
    '//example.com/search',
  ])('%j is none', (foreign) => {
    expect(foreign).not.toMatch(path)
  })
})

describe('the hotel of a view', () => {
  it('is the one its page is of', () => {
    expect(propertyOf({ path: `/en/hotels/${hotel}` })).toBe(hotel)
    expect(propertyOf({ path: `/hotels/${hotel}`, propertyId: hotel })).toBe(hotel)
    expect(propertyOf({ path: '/search', propertyId: hotel })).toBe(hotel)
    expect(propertyOf({ path: '/search' })).toBeUndefined()
  })

  it('is not another one', () => {
    const view = { path: `/hotels/${hotel}`, propertyId: newId('ppt') }
    const error = { pointer: '/propertyId', code: 'contradiction' }
    expect(() => propertyOf(view)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining(error)] }),
    )
  })
})
