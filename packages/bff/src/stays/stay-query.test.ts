import { isProblem } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { readStay, type StayQuery } from './stay-query.ts'

const NOW = new Date('2026-03-21T09:00:00.000Z')
const stay = { checkIn: '2026-04-01', checkOut: '2026-04-03' } as StayQuery

function errorsOf(query: StayQuery): string[] {
  try {
    readStay(query, NOW)
    return []
  } catch (error) {
    if (!isProblem(error)) throw error
    return (error.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)
  }
}

describe('a stay in a query string', () => {
  it('is undefined without dates', () => {
    expect(readStay({ adults: 3 }, NOW)).toBeUndefined()
  })

  it('is for two adults in one room by default', () => {
    expect(readStay(stay, NOW)).toEqual({
      stay,
      occupancy: { adults: 2, children: 0, rooms: 1 },
    })
  })

  it('has sorted ages', () => {
    const requested = readStay({ ...stay, children: 2, childrenAges: [9, 4] }, NOW)
    expect(requested?.occupancy.childrenAges).toEqual([4, 9])
  })

  it.each<[string, object]>([
    ['/query/checkOut required', { checkOut: undefined }],
    ['/query/checkIn required', { checkIn: undefined }],
    ['/query/checkOut order', { checkOut: '2026-04-01' }],
    ['/query/checkIn date', { checkIn: '2026-02-30' }],
    ['/query/checkIn past', { checkIn: '2026-03-10' }],
    ['/query/checkOut range', { checkOut: '2026-05-30' }],
    ['/query/childrenAges count', { children: 2, childrenAges: [4] }],
  ])('is invalid: %s', (error, over) => {
    expect(errorsOf({ ...stay, ...over } as StayQuery)).toEqual([error])
  })
})
