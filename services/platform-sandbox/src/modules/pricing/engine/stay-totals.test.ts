import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyStay } from './arbitrary-stay.ts'
import { divideHalfEven, minorUnitOf } from './micro.ts'
import { priceStay } from './price-stay.ts'
import { reduceFraction, scaleHalfEven } from './scale.ts'
import { StayTotals } from './stay-totals.ts'

describe('scaleHalfEven', () => {
  it('equals the division of bigints, also beyond safe products and at ties', () => {
    const amount = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 2 ** 50 }))
    const part = fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 1e9 }))
    fc.assert(
      fc.property(amount, part, part, (value, numerator, denominator) => {
        fc.pre((value * numerator) / denominator < 2 ** 52)
        const exact = divideHalfEven(BigInt(value) * BigInt(numerator), BigInt(denominator))
        expect(scaleHalfEven(value, numerator, denominator)).toBe(Number(exact))
      }),
      { numRuns: 2_000 },
    )
    expect([1, 3, 5].map((value) => scaleHalfEven(value, 1, 2))).toEqual([0, 2, 2])
    expect(scaleHalfEven(2 ** 51 + 1, 10_001, 20_002)).toBe(2 ** 50)
  })

  it('reduces fractions', () => {
    expect(reduceFraction(110_000_000n, 100_000_000n)).toEqual([11, 10])
    expect(reduceFraction(0n, 100n)).toEqual([0, 1])
  })
})

describe('StayTotals', () => {
  it('equals priceStay for any hotel, rules and stay', () => {
    fc.assert(
      fc.property(anyStay, ({ card, plan, rooms, stayRequest }) => {
        const { arrival, nights, today, party } = stayRequest
        const stay = { arrival, nights, today, party }
        const [{ room, quantity } = { room: undefined, quantity: 0 }] = rooms
        if (room === undefined) throw new TypeError('a hotel without rooms')
        const bill = priceStay(card, { plan, rooms: [{ room, quantity }] }, stay)
        const totals = new StayTotals({ ...stay, quantity })
        const priced = { plan, room, today: stay.today }
        const step = minorUnitOf(card.currency)
        expect(BigInt(totals.totalOf(card, priced)) * step).toBe(bill.total)
        expect(BigInt(totals.cheapestNightOf(card, priced)) * step).toBe(bill.cheapestNight)
      }),
      { numRuns: 1_000 },
    )
  })
})
