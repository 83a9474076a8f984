import fc from 'fast-check'
import { decodeTime, isValid } from 'ulid'
import { describe, expect, it } from 'vitest'
import { createUlidSource } from './ulid-source.ts'

const LAST_MS = 2 ** 48 - 1

describe('ULIDs', () => {
  it('encode the time as other programs decode it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LAST_MS }), (ms) => {
        const ulid = createUlidSource()(ms)
        expect(isValid(ulid)).toBe(true)
        expect(decodeTime(ulid)).toBe(ms)
      }),
    )
  })

  it('use the clock when no time is given', () => {
    const before = Date.now()
    const ms = decodeTime(createUlidSource()())
    expect(ms).toBeGreaterThanOrEqual(before)
    expect(ms).toBeLessThanOrEqual(Date.now())
  })

  it('are unique and sort in creation order, also when the clock goes back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2 }), (clock) => {
        const next = createUlidSource()
        const ulids = Array.from({ length: 300 }, (_, index) => next(clock[index % clock.length]))
        expect(ulids.toSorted()).toEqual(ulids)
        expect(new Set(ulids).size).toBe(ulids.length)
      }),
    )
  })

  it('of two sources and of two milliseconds share nothing but the time', () => {
    const sources = Array.from({ length: 50 }, () => createUlidSource())
    const randomParts = Array.from({ length: 100 }, (_, index) =>
      sources.map((next) => next(index + 1).slice(10)),
    ).flat()
    for (const [from, to] of [
      [0, 8],
      [8, 16],
    ]) {
      expect(new Set(randomParts.map((part) => part.slice(from, to))).size).toBeGreaterThan(4_990)
    }
    for (let position = 0; position < 16; position += 1) {
      expect(new Set(randomParts.map((part) => part[position])).size).toBe(32)
    }
  })
})
