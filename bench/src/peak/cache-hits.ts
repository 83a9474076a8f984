/** Hits and lookups by cache, from the metrics of a service. */
export type CacheCounts = Readonly<
  Record<string, { readonly hits: number; readonly lookups: number }>
>

/** Boards and widgets by whether an upstream was called for them, as caches of their own. */
const READS = /^\w+_composed_reads_total\{kind="(\w+)",upstream="(\w+)"\} (\d+)$/gm
const LINE = /^\w+_cache_(hit|stale|miss)_total\{cache="([^"]+)"\} (\d+)$/gm

export async function readCacheCounts(internalUrl: string): Promise<CacheCounts> {
  const response = await fetch(`${internalUrl}/metrics`)
  return parseCacheCounts(await response.text())
}

export function parseCacheCounts(metrics: string): CacheCounts {
  const counts: Record<string, { hits: number; lookups: number }> = {}
  for (const [, result = '', cache = '', number = '0'] of metrics.matchAll(LINE)) {
    const known = counts[cache] ?? { hits: 0, lookups: 0 }
    known.lookups += Number(number)
    if (result !== 'miss') known.hits += Number(number)
    counts[cache] = known
  }
  for (const [, kind = '', upstream = '', number = '0'] of metrics.matchAll(READS)) {
    const known = counts[`${kind} without a call`] ?? { hits: 0, lookups: 0 }
    known.lookups += Number(number)
    if (upstream === 'none') known.hits += Number(number)
    counts[`${kind} without a call`] = known
  }
  return counts
}

/**
 * What is served without an upstream call. A board that is composed from cached lists is a miss of
 * its own cache, but a hit here: its own cache has an entry per role for 15 s, and a hotel with 25
 * devices reads it about once in that time. Settings of hotels and operators are always hits, and
 * do not count.
 */
const RESPONSES = ['board without a call', 'widget without a call', 'alerts-inbox', 'ai-inbox']

export function hitShare(counts: CacheCounts): number {
  const sum = (key: 'hits' | 'lookups') =>
    RESPONSES.reduce((total, name) => total + (counts[name]?.[key] ?? 0), 0)
  return sum('hits') / sum('lookups')
}

/** What was looked up between two readings. */
export function countsBetween(before: CacheCounts, after: CacheCounts): CacheCounts {
  const between = Object.entries(after).map(([name, { hits, lookups }]) => {
    const { hits: oldHits = 0, lookups: oldLookups = 0 } = before[name] ?? {}
    return [name, { hits: hits - oldHits, lookups: lookups - oldLookups }]
  })
  return Object.fromEntries(between) as CacheCounts
}
