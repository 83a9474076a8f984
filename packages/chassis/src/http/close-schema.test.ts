import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { closeSchema } from './close-schema.ts'
import { createValidatorBuilder } from './validator.ts'

const accepts = (schema: unknown, value: unknown) =>
  createValidatorBuilder()({})({ schema: closeSchema(schema), httpPart: 'body' })(value)

describe('closeSchema', () => {
  const inner = Type.Object({ a: Type.Optional(Type.String()) })

  it.each([
    ['the root', Type.Object({ a: Type.String() }), { a: 'x' }, { a: 'x', b: 1 }],
    ['a member', Type.Object({ inner }), { inner: { a: 'x' } }, { inner: { b: 1 } }],
    ['an item', Type.Array(inner), [{ a: 'x' }], [{ b: 1 }]],
    ['a union', Type.Union([inner, Type.Null()]), { a: 'x' }, { b: 1 }],
    [
      'an intersection',
      Type.Intersect([inner, Type.Object({ b: Type.Number() })]),
      { a: 'x', b: 1 },
      { a: 'x', b: 1, c: 1 },
    ],
  ])('closes %s', (_name, schema, good, bad) => {
    expect(accepts(schema, good)).toBe(true)
    expect(accepts(schema, bad)).toBe(false)
  })

  it('does not close a schema that allows additional properties', () => {
    expect(accepts(Type.Object({}, { additionalProperties: true }), { any: 1 })).toBe(true)
    expect(accepts(Type.Record(Type.String(), Type.Number()), { any: 1 })).toBe(true)
  })

  it('validates dates and links by our own rules', () => {
    const day = Type.String({ format: 'date' })
    expect(accepts(day, '2026-02-28')).toBe(true)
    expect(accepts(day, '2026-02-30')).toBe(false)
    expect(accepts(Type.String({ format: 'email' }), `${'a'.repeat(50_000)}@`)).toBe(false)
  })
})
