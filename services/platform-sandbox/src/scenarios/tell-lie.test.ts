import fc from 'fast-check'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { tellLie } from './tell-lie.ts'

const Offer = Type.Object({
  amount: Type.Integer(),
  currency: Type.String(),
  note: Type.Optional(Type.String()),
  nights: Type.Array(Type.Integer()),
})

describe('tellLie', () => {
  it('turns a number into text and drops a member that has to be there', () => {
    const body = { amount: 5, currency: 'AFN', note: 'x', nights: [1] }
    expect(tellLie(Offer, body)).toEqual({ amount: '5', currency: 'AFN', note: 'x' })
  })

  it('does not touch the true answer', () => {
    const body = { amount: 5, currency: 'AFN', nights: [1] }
    tellLie(Offer, body)
    expect(body).toEqual({ amount: 5, currency: 'AFN', nights: [1] })
  })

  it('breaks the contract whatever the response was', () => {
    const offers = fc.record(
      { amount: fc.integer(), currency: fc.string(), nights: fc.array(fc.integer()) },
      { requiredKeys: ['amount', 'currency', 'nights'] },
    )
    fc.assert(
      fc.property(offers, (offer) => {
        expect(Value.Check(Offer, offer)).toBe(true)
        expect(Value.Check(Offer, tellLie(Offer, offer))).toBe(false)
      }),
    )
  })

  it.each([
    [Type.Object({ only: Type.String() }), { only: 'one' }],
    [Type.Object({ only: Type.Boolean() }), { only: true }],
    [Type.Object({ only: Type.Null() }), { only: null }],
    [Type.Object({ only: Type.Array(Type.String()) }), { only: [] }],
    [Type.Object({ only: Type.Object({}) }), { only: {} }],
    [Type.Object({ perhaps: Type.Optional(Type.String()) }), {}],
    [Type.Array(Type.String()), ['a']],
    [
      Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]),
      { a: 'x' },
    ],
  ])('finds a lie for every shape (%#)', (schema, body) => {
    expect(Value.Check(schema, body)).toBe(true)
    expect(Value.Check(schema, tellLie(schema, body))).toBe(false)
  })
})
