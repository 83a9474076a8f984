import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getPath, hotelOf, warmUp } from '../harness/hotel-client.ts'
import { dayFromNow, type Fixture, startFixture } from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
  await warmUp(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const STAY = { checkIn: dayFromNow(5), checkOut: dayFromNow(6) }
const INVALID = 'MELMASTOON.GENERAL.VALIDATION_FAILED'
const LOCALE = 'MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED'
const CURRENCY = 'MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED'

type Query = Record<string, string | string[]>

describe.each(['', '/price'])('GET /hotels/{propertyId}%s', (route) => {
  const rejectionOf = async (query: Query, headers: Record<string, string> = {}, id?: string) => {
    const path = `/hotels/${id ?? hotelOf(fixture.upstreams).propertyId}${route}`
    const {
      status,
      body,
      headers: sent,
    } = await getPath(fixture.service.url, path, { query, headers })
    expect(sent.get('cache-control')).toBe('no-store')
    const [error] = (body['errors'] ?? []) as { pointer: string; code: string }[]
    return [status, body['code'], error?.pointer, error?.code]
  }

  it.each<[string, Query, unknown[]]>([
    ['an unknown member', { nights: '2' }, [400, INVALID, '/query/nights', 'additionalProperties']],
    ['no date', { ...STAY, checkIn: 'soon' }, [400, INVALID, '/query/checkIn', 'pattern']],
    [
      'an impossible day',
      { ...STAY, checkIn: '2027-02-30' },
      [400, INVALID, '/query/checkIn', 'date'],
    ],
    ['half a stay', { checkIn: STAY.checkIn }, [400, INVALID, '/query/checkOut', 'required']],
    [
      'a check-out before the check-in',
      { checkIn: STAY.checkOut, checkOut: STAY.checkIn },
      [400, INVALID, '/query/checkOut', 'order'],
    ],
    [
      'a day in the past',
      { ...STAY, checkIn: dayFromNow(-9) },
      [400, INVALID, '/query/checkIn', 'past'],
    ],
    [
      'a day too far away',
      { checkIn: dayFromNow(400), checkOut: dayFromNow(401) },
      [400, INVALID, '/query/checkIn', 'range'],
    ],
    [
      'too many nights',
      { ...STAY, checkOut: dayFromNow(60) },
      [400, INVALID, '/query/checkOut', 'range'],
    ],
    ['zero adults', { adults: '0' }, [400, INVALID, '/query/adults', 'minimum']],
    ['a fractional number of guests', { adults: '1.5' }, [400, INVALID, '/query/adults', 'type']],
    ['a crowd', { adults: '1e400' }, [400, INVALID, '/query/adults', 'maximum']],
    ['too many rooms', { rooms: '11' }, [400, INVALID, '/query/rooms', 'maximum']],
    [
      'more ages than children',
      { children: '2', childrenAges: ['4'] },
      [400, INVALID, '/query/childrenAges', 'count'],
    ],
    [
      'the age of an adult',
      { children: '1', childrenAges: ['18'] },
      [400, INVALID, '/query/childrenAges/0', 'maximum'],
    ],
    ['an unknown language', { locale: 'xx' }, [422, LOCALE, '/query/locale', 'unsupported']],
    ['an unknown currency', { currency: 'BTC' }, [422, CURRENCY, '/query/currency', 'unsupported']],
  ])('rejects %s', async (_, query, rejection) => {
    expect(await rejectionOf(query)).toEqual(rejection)
  })

  it('rejects an unknown currency in a header, and an invalid id', async () => {
    expect(await rejectionOf({}, { 'x-currency': 'BTC' })).toEqual([
      422,
      CURRENCY,
      '/headers/x-currency',
      'unsupported',
    ])
    expect(await rejectionOf({}, {}, 'ppt_1')).toEqual([
      400,
      INVALID,
      '/params/propertyId',
      'pattern',
    ])
  })
})
