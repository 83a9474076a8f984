import { describe, expect, it } from 'vitest'
import {
  countsBetween,
  hitShare,
  parseCacheCounts,
  withMirrorsShare,
  withoutCallShare,
} from './cache-hits.ts'

const metrics = (hits: number, misses: number) => `
# HELP bff_backoffice_cache_hit_total Fresh entries
bff_backoffice_cache_hit_total{cache="board"} ${hits}
bff_backoffice_cache_hit_total{cache="rooms"} 1000
bff_backoffice_cache_miss_total{cache="board"} ${misses}
bff_backoffice_cache_miss_total{cache="prefs"} ${misses}
bff_backoffice_cache_stale_total{cache="dashboard"} 0
bff_backoffice_composed_reads_total{kind="board",upstream="none"} ${2 * hits}
bff_backoffice_composed_reads_total{kind="board",upstream="called"} ${misses}
`

describe('hitShare', () => {
  it('counts what was looked up meanwhile, of whole responses only', () => {
    const before = parseCacheCounts(metrics(100, 100))
    expect(before['board']).toEqual({ hits: 100, lookups: 200 })
    const between = countsBetween(before, parseCacheCounts(metrics(190, 110)))
    expect(hitShare(between)).toBe(0.9)
    expect(withMirrorsShare(between)).toBe(90 / 110)
    expect(withoutCallShare(between)).toBe(180 / 190)
  })
})
