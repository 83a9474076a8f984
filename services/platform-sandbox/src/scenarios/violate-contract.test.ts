import fc from 'fast-check'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { violateContract } from './violate-contract.ts'

const Offer = Type.Object({
  amount: Type.Integer(),
  currency: Type.String(),
  note: Type.Optional(Type.String()),
  nights: Type.Array(Type.Integer()),
})

describe('violateContract', () => {
  it('turns a number into text and removes a required member', () => {
    const body = { amount: 5, currency: 'AFN', note: 'x', nights: [1] }
    expect(violateContract(Offer, body)).toEqual({ amount: '5', currency: 'AFN', note: 'x' })
  })

  it('does not change the original response', () => {
    const body = { amount: 5, currency: 'AFN', nights: [1] }
    violateContract(Offer, body)
    expect(body).toEqual({ amount: 5, currency: 'AFN', nights: [1] })
  })

  it('violates the contract for any response', () => {
    const offers = fc.record(
      { amount: fc.integer(), currency: fc.string(), nights: fc.array(fc.integer()) },
      { requiredKeys: ['amount', 'currency', 'nights'] },
    )
    fc.assert(
      fc.property(offers, (offer) => {
        expect(Value.Check(Offer, offer)).toBe(true)
        expect(Value.Check(Offer, violateContract(Offer, offer))).toBe(false)
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
  ])('finds a violation for every shape (%#)', (schema, body) => {
    expect(Value.Check(schema, body)).toBe(true)
    expect(Value.Check(schema, violateContract(schema, body))).toBe(false)
  })
})
