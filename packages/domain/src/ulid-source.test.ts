import fc from 'fast-check'
import { decodeTime, isValid } from 'ulid'
import { describe, expect, it } from 'vitest'
import { createUlidSource } from './ulid-source.ts'

const LAST_MS = 2 ** 48 - 1

describe('ULIDs', () => {
  it('tell their time as other programs read it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LAST_MS }), (ms) => {
        const ulid = createUlidSource({ nowMs: () => ms })()
        expect(isValid(ulid)).toBe(true)
        expect(decodeTime(ulid)).toBe(ms)
      }),
    )
  })

  it('sort as they were made, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2 }), (clock) => {
        let turn = 0
        const next = createUlidSource({ nowMs: () => clock[turn++ % clock.length] ?? 0 })
        const made = Array.from({ length: 300 }, () => next())
        expect(made.toSorted()).toEqual(made)
        expect(new Set(made).size).toBe(made.length)
      }),
    )
  })

  it('of two processes and of two milliseconds have nothing in common but the time', () => {
    let ms = 0
    const sources = Array.from({ length: 50 }, () => createUlidSource({ nowMs: () => ms }))
    const made = Array.from({ length: 100 }, () => {
      ms += 1
      return sources.map((next) => next().slice(10))
    }).flat()
    for (const [from, to] of [
      [0, 10],
      [10, 16],
    ]) {
      expect(new Set(made.map((ulid) => ulid.slice(from, to))).size).toBeGreaterThan(4_990)
    }
    const first = new Set(made.map((ulid) => ulid[0]))
    expect(first.size).toBe(32)
  })
})
