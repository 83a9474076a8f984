import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { knownPartOf, type RepeatedList, readRepeatedList } from './known-parts.ts'
import { findDrift } from './parse-response.ts'

const Hotel = Type.Object({
  id: Type.String(),
  name: Type.Object({ default: Type.String() }),
  stars: Type.Optional(Type.Integer()),
  left: Type.Integer({ minimum: 0 }),
  reasons: Type.Optional(Type.Array(Type.String())),
})
const schema = Type.Object({
  total: Type.Integer(),
  items: Type.Array(Hotel),
  note: Type.Optional(Type.String()),
})

/** Another one for each test: what is known belongs to it. */
const newList = (): RepeatedList => ({ member: 'items', varying: ['left', 'reasons'] })

const read = (repeats: RepeatedList, text: string) =>
  readRepeatedList(schema, repeats, Buffer.from(text))

interface Items {
  readonly items: readonly object[]
}
const itemsOf = (value: object | undefined) => (value as Items | undefined)?.items ?? []

const page = (items: readonly unknown[], rest: object = {}) =>
  JSON.stringify({ total: items.length, items, ...rest })
const hotel = (id: string, left: number, more: object = {}) => ({
  id,
  name: { default: `گلونه "${id}" \\ },{"id":"x"` },
  ...more,
  left,
  reasons: ['],"items":[{"id":'],
})

describe('a list of known elements', () => {
  it('has the value of the whole text, with the same parts for equal elements', () => {
    const repeats = newList()
    const first = page([hotel('a', 1), hotel('b', 2)], { note: 'n' })
    const second = page([hotel('b', 3), hotel('c', 4), hotel('a', 5)])
    const values = [first, second].map((text) => read(repeats, text))
    expect(values).toEqual([JSON.parse(first), JSON.parse(second)])
    const [[a1, b1], [b2, , a2]] = values.map(itemsOf) as [object[], object[]]
    const partOf = (element: object | undefined) => knownPartOf(element ?? {})
    expect(partOf(a1)).toBeDefined()
    expect([partOf(a2) === partOf(a1), partOf(b2) === partOf(b1)]).toEqual([true, true])
    expect(partOf(a1)).not.toBe(partOf(b1))
  })

  it('has another part after a change, also one of a single digit', () => {
    const repeats = newList()
    const parts = [{ stars: 4 }, { stars: 5 }, { stars: 50 }, { stars: 5 }, {}].map((more) => {
      const text = page([hotel('a', 1, more)])
      const value = read(repeats, text)
      expect(value).toEqual(JSON.parse(text))
      return knownPartOf(itemsOf(value)[0] ?? {})
    })
    expect(new Set(parts).size).toBe(5)
  })

  it('cannot be changed by a reader', () => {
    const repeats = newList()
    const text = page([hotel('a', 1)])
    const [element] = itemsOf(read(repeats, text)) as { name: { default: string } }[]
    expect(() => Object.assign(element?.name ?? {}, { default: 'other' })).toThrow(TypeError)
    expect(read(repeats, text)).toEqual(JSON.parse(text))
  })

  it.each([
    ['no list', '{"total":1}'],
    ['white space', JSON.stringify(JSON.parse(page([hotel('a', 1)])), null, 1)],
    ['a truncated text', page([hotel('a', 1)]).slice(0, -9)],
    ['a truncated end', page([hotel('a', 1)]).slice(0, -1)],
    ['more text', `${page([hotel('a', 1)])}]`],
    ['another element', page([hotel('a', 1), 7])],
    ['two lists', page([hotel('a', 1)]).replace(/\}$/, ',"items":[]}')],
    [
      'a list of another object',
      `{"x":{"items":[${JSON.stringify(hotel('a', 1))}]},"total":1,"items":[]}`,
    ],
    ['an invalid varying member', page([{ ...hotel('a', 1), left: -1 }])],
    ['a missing varying member', page([{ id: 'a', name: { default: '' } }])],
    ['an invalid member', page([hotel('a', 1, { stars: 'many' })])],
    ['an invalid head', page([hotel('a', 1)]).replace('"total":1', '"total":"1"')],
  ])('is read as a whole with %s', (_what, text) => {
    const repeats = newList()
    expect(read(repeats, page([hotel('a', 1)]))).toBeDefined()
    expect(read(repeats, text)).toBeUndefined()
  })

  it('reads elements whose varying members are not at the end, without remembering them', () => {
    const repeats = newList()
    const text = page([{ id: 'a', left: 1, name: { default: 'n' } }])
    for (let turn = 0; turn < 2; turn += 1) {
      const value = read(repeats, text)
      expect(value).toEqual(JSON.parse(text))
      expect(knownPartOf(itemsOf(value)[0] ?? {})).toBeUndefined()
    }
  })

  it('checks a member that follows a known part', () => {
    const repeats = newList()
    expect(read(repeats, page([hotel('a', 1)]))).toBeDefined()
    const wrong = page([{ id: 'a', name: hotel('a', 1).name, left: 1, stars: 'many' }])
    expect(read(repeats, wrong)).toBeUndefined()
    const right = page([{ id: 'a', name: hotel('a', 1).name, left: 1, stars: 3 }])
    expect(read(repeats, right)).toEqual(JSON.parse(right))
  })

  it.each([
    ['a bounded list', Type.Object({ items: Type.Array(Hotel, { maxItems: 3 }) })],
    ['a list of texts', Type.Object({ items: Type.Array(Type.String()) })],
    ['no list', Type.Object({ items: Type.String() })],
    [
      'closed elements',
      Type.Object({ items: Type.Array(Type.Object({}, { additionalProperties: false })) }),
    ],
  ])('cannot be %s', (_what, other: TSchema) => {
    expect(() => readRepeatedList(other, newList(), Buffer.from('{}'))).toThrow(TypeError)
  })
})

describe('any text', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('","', '},{', '\\', '"items":['),
  )
  const element = fc.record(
    {
      id: fc.constantFrom('a', 'b', 'c'),
      name: fc.record({ default: text }),
      stars: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant('many')),
      left: fc.integer({ min: -1, max: 30 }),
      reasons: fc.array(text, { maxLength: 2 }),
      other: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: ['id', 'name', 'left'] },
  )
  const shuffled = element.chain((value) =>
    fc
      .shuffledSubarray(Object.keys(value), { minLength: Object.keys(value).length })
      .map((names) => Object.fromEntries(names.map((name) => [name, value[name as 'id']]))),
  )
  const document = fc.record(
    {
      total: fc.oneof(fc.nat(), text),
      items: fc.array(fc.oneof(element, element, shuffled), { maxLength: 4 }),
      note: text,
      more: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: ['total', 'items'] },
  )

  it('has the value of the whole text, or is left to be read as a whole', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.array(document, { minLength: 2, maxLength: 6 }), (documents) => {
        const repeats = newList()
        for (const each of [...documents, ...documents]) {
          const value = read(repeats, JSON.stringify(each))
          if (value === undefined) continue
          taken += 1
          expect(JSON.stringify(value)).toBe(JSON.stringify(each))
          expect(findDrift(schema, each)).toBeNull()
        }
      }),
      { numRuns: 500 },
    )
    expect(taken).toBeGreaterThan(100)
  })

  it('is never read from a damaged text with another value', () => {
    const whole = page([hotel('a', 1), hotel('b', 2)], { note: 'n' })
    fc.assert(
      fc.property(
        fc.nat({ max: whole.length - 1 }),
        fc.constantFrom(',', '{', '}', '[', ']', '"', ':', '0', '\\', 'x'),
        (at, by) => {
          const repeats = newList()
          read(repeats, whole)
          const damaged = whole.slice(0, at) + by + whole.slice(at + 1)
          const value = read(repeats, damaged)
          expect(value).toEqual(value === undefined ? undefined : JSON.parse(damaged))
        },
      ),
      { numRuns: 300 },
    )
  })
})
