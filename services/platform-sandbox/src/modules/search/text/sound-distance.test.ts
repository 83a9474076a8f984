import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SOUNDS } from './phonemes.ts'
import { soundDistance, toleranceFor, toSounds } from './sound-distance.ts'

const NO_LIMIT = 100_000
const between = (one: string, other: string) =>
  soundDistance(toSounds(one), toSounds(other), NO_LIMIT).whole

const word = fc.string({ unit: fc.constantFrom(...Array.from(SOUNDS)), maxLength: 10 })

describe('the distance of sounds', () => {
  it('is zero for equal sounds only, and symmetric', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(between(one, other) === 0).toBe(one === other)
        expect(between(one, other)).toBe(between(other, one))
      }),
    )
  })

  it('is smaller for vowels and weak consonants than for others', () => {
    expect(between('kabul', 'kabil')).toBe(20)
    expect(between('kabul', 'kabl')).toBe(20)
    expect(between('tihran', 'tiran')).toBe(30)
    expect(between('hirat', 'girat')).toBe(50)
    expect(between('kabul', 'kadul')).toBe(100)
  })

  it('counts two exchanged neighbours once', () => {
    expect(between('kabl', 'kalb')).toBe(80)
  })

  it('from the nearest beginning is never larger than from the whole', () => {
    fc.assert(
      fc.property(word, word, (typed, name) => {
        const { whole, prefix } = soundDistance(toSounds(typed), toSounds(name), NO_LIMIT)
        expect(prefix).toBeLessThanOrEqual(whole)
        const begins = soundDistance(toSounds(typed), toSounds(typed + name), NO_LIMIT)
        expect(begins.prefix).toBe(0)
      }),
    )
  })

  it('within the limit does not depend on it', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 400 }), (one, other, limit) => {
        const exact = between(one, other)
        const limited = soundDistance(toSounds(one), toSounds(other), limit).whole
        expect(limited <= limit ? limited : 'further').toBe(exact <= limit ? exact : 'further')
      }),
    )
  })

  it('may be larger for longer names', () => {
    const tolerances = Array.from({ length: 20 }, (_, sounds) => toleranceFor(sounds))
    expect(tolerances).toEqual(tolerances.toSorted((a, b) => a - b))
    expect(tolerances[2]).toBe(0)
  })
})
