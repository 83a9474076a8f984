import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { HotelAvailability } from '../../src/availability/read-availability.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { outcomeOf, pointersOf } from '../harness/map-client.ts'
import { dayFromNow } from '../harness/start-consumer.ts'
import { useFixture } from '../harness/use-fixture.ts'

const fixture = useFixture()
const { clock, getPath, hotelId } = fixture

describe('C5 light availability', () => {
  const path = (from: string, to: string, id = hotelId()) =>
    `/hotels/${id}/availability?from=${from}&to=${to}`

  it('contains the rooms per night, from the search projection only', async () => {
    const response = await getPath(path(dayFromNow(1), dayFromNow(4)))
    expect(response.status).toBe(200)
    expect(closedCheck(HotelAvailability)(response.body)).toEqual([])
    expect(response.body).toEqual({
      sections: { availability: { status: 'fresh', ageMs: 0 } },
      degraded: false,
      propertyId: hotelId(),
      nights: [0, 1, 2].map((at) => ({
        night: dayFromNow(1 + at),
        roomsLeft: at,
        roomsTotal: 8,
      })),
    })
    expect(new Set(fixture.upstreams.requests.map(({ upstream }) => upstream))).toEqual(
      new Set(['search']),
    )
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('of 92 nights is returned, cached briefly, and not sent again to a client that has it', async () => {
    const url = path(dayFromNow(2), dayFromNow(94))
    const response = await getPath(url)
    expect(response.body['nights']).toHaveLength(92)
    const again = await getPath(url)
    expect([again.headers.get('x-cache'), again.headers.get('cache-control')]).toEqual([
      'HIT',
      'public, no-cache',
    ])
    const etag = response.headers.get('etag') ?? ''
    expect((await getPath(url, { 'if-none-match': etag })).status).toBe(304)
    clock.advance(90_000)
    expect((await getPath(url)).headers.get('x-cache')).toBe('MISS')
  })

  it.each([
    ['no dates', '', ['/query/from', '/query/to']],
    ['the same day', `from=${dayFromNow(3)}&to=${dayFromNow(3)}`, ['/query/to']],
    ['an end before the start', `from=${dayFromNow(3)}&to=${dayFromNow(2)}`, ['/query/to']],
    ['93 nights', `from=${dayFromNow(3)}&to=${dayFromNow(96)}`, ['/query/to']],
    ['dates in the past', `from=${dayFromNow(-3)}&to=${dayFromNow(2)}`, ['/query/from']],
    ['too far ahead', `from=${dayFromNow(370)}&to=${dayFromNow(371)}`, ['/query/from']],
    ['an impossible day', 'from=2027-02-30&to=2027-03-03', ['/query/from']],
    ['a word', 'from=tomorrow&to=2027-03-03', ['/query/from']],
    ['an unknown parameter', `from=${dayFromNow(1)}&to=${dayFromNow(2)}&room=7`, ['/query/room']],
  ])('with %s is rejected by pointer', async (_what, query, pointers) => {
    const response = await getPath(`/hotels/${hotelId()}/availability?${query}`)
    expect(outcomeOf(response)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(pointersOf(response)).toEqual(pointers)
  })

  it('of an unknown hotel is not found, and of an invalid id is rejected', async () => {
    const [from, to] = [dayFromNow(1), dayFromNow(2)]
    const gone = await getPath(path(from, to, newId('ppt')))
    expect(outcomeOf(gone)).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
    const odd = await getPath(path(from, to, 'ppt_1'))
    expect([odd.status, pointersOf(odd)]).toEqual([400, ['/params/propertyId']])
  })
})
