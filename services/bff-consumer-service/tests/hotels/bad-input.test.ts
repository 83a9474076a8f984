import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, hotelOf, warmUp } from '../harness/hotel-client.ts'
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
  const refusalOf = async (query: Query, headers: Record<string, string> = {}, id?: string) => {
    const path = `/hotels/${id ?? hotelOf(fixture.upstreams).propertyId}${route}`
    const { status, body, headers: sent } = await ask(fixture.service.url, path, { query, headers })
    expect(sent.get('cache-control')).toBe('no-store')
    const [error] = (body['errors'] ?? []) as { pointer: string; code: string }[]
    return [status, body['code'], error?.pointer, error?.code]
  }

  it.each<[string, Query, unknown[]]>([
    ['an unknown member', { nights: '2' }, [400, INVALID, '/query/nights', 'additionalProperties']],
    ['no date', { ...STAY, checkIn: 'soon' }, [400, INVALID, '/query/checkIn', 'pattern']],
    ['no such day', { ...STAY, checkIn: '2027-02-30' }, [400, INVALID, '/query/checkIn', 'date']],
    ['half a stay', { checkIn: STAY.checkIn }, [400, INVALID, '/query/checkOut', 'required']],
    [
      'a stay backwards',
      { checkIn: STAY.checkOut, checkOut: STAY.checkIn },
      [400, INVALID, '/query/checkOut', 'order'],
    ],
    [
      'a day long over',
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
    ['nobody', { adults: '0' }, [400, INVALID, '/query/adults', 'minimum']],
    ['half a guest', { adults: '1.5' }, [400, INVALID, '/query/adults', 'type']],
    ['a crowd', { adults: '1e400' }, [400, INVALID, '/query/adults', 'maximum']],
    ['too many rooms', { rooms: '11' }, [400, INVALID, '/query/rooms', 'maximum']],
    [
      'ages of other children',
      { children: '2', childrenAges: ['4'] },
      [400, INVALID, '/query/childrenAges', 'count'],
    ],
    [
      'an age of a grown-up',
      { children: '1', childrenAges: ['18'] },
      [400, INVALID, '/query/childrenAges/0', 'maximum'],
    ],
    ['an unknown language', { locale: 'xx' }, [422, LOCALE, '/query/locale', 'unsupported']],
    ['an unknown currency', { currency: 'BTC' }, [422, CURRENCY, '/query/currency', 'unsupported']],
  ])('rejects %s', async (_, query, refusal) => {
    expect(await refusalOf(query)).toEqual(refusal)
  })

  it('rejects an unknown currency in a header, and an invalid id', async () => {
    expect(await refusalOf({}, { 'x-currency': 'BTC' })).toEqual([
      422,
      CURRENCY,
      '/headers/x-currency',
      'unsupported',
    ])
    expect(await refusalOf({}, {}, 'ppt_1')).toEqual([
      400,
      INVALID,
      '/params/propertyId',
      'pattern',
    ])
  })
})
