import { type IsoDate, newId } from '@melmastoon/domain'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type BoardContent, changesSince, toContent } from './board-content.ts'
import type { BoardRow, TodayRow } from './board-rows.ts'

function row(id: string, count: number): TodayRow {
  const made: unknown = { id, counts: { count } }
  return made as TodayRow
}

function contentOf(rows: ReadonlyMap<string, number>): BoardContent {
  return toContent({
    businessDate: '2026-11-16' as IsoDate,
    asOf: '2026-11-16T08:00:00.000Z',
    degraded: [],
    isStale: false,
    isLive: false,
    rows: [...rows].map(([id, count]): BoardRow => row(id, count)),
  })
}

/** What a device does with a delta. */
function apply(known: Map<string, string>, from: BoardContent, to: BoardContent): void {
  const { changed, removed } = changesSince(to, from.hashes)
  for (const id of removed) known.delete(id)
  for (const text of changed) known.set((JSON.parse(text) as { id: string }).id, text)
}

const Change = fc.record({ at: fc.nat(40), kind: fc.constantFrom('set', 'remove'), to: fc.nat(3) })

it('STAFF-BRD-05 applying every delta gives the whole board, after 10,000 random changes', () => {
  const ids = Array.from({ length: 41 }, () => newId('rsv'))
  fc.assert(
    fc.property(fc.array(fc.array(Change, { maxLength: 20 }), { maxLength: 10 }), (steps) => {
      const rows = new Map<string, number>()
      let seen = contentOf(rows)
      const device = new Map(seen.rows)
      for (const changes of steps) {
        for (const { at, kind, to } of changes) {
          const id = ids[at] ?? ''
          if (kind === 'remove') rows.delete(id)
          else rows.set(id, to)
        }
        const next = contentOf(rows)
        apply(device, seen, next)
        seen = next
      }
      expect(Object.fromEntries(device)).toEqual(Object.fromEntries(seen.rows))
    }),
    { numRuns: 150, seed: 5 },
  )
})

it('has another version when a row changes, and the same when none does', () => {
  const before = contentOf(new Map([['a', 1]]))
  expect(contentOf(new Map([['a', 1]])).version).toBe(before.version)
  expect(contentOf(new Map([['a', 2]])).version).not.toBe(before.version)
})
