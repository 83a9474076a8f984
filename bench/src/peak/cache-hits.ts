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
 * Boards, widgets and inboxes. A miss reads the lists they are composed of, whose hits would make
 * the share look better; settings of hotels and operators are always hits. Nor are the mirrors of
 * one operator or device counted: nobody else reads an entry before it expires.
 */
const RESPONSES = ['board', 'dashboard', 'alerts-inbox', 'ai-inbox']

export function hitShare(counts: CacheCounts): number {
  return shareOf(counts, RESPONSES)
}

/** With the mirrors of one operator or device. Printed only. */
export function withMirrorsShare(counts: CacheCounts): number {
  return shareOf(counts, [...RESPONSES, 'prefs', 'cursor'])
}

const READ = ['board without a call', 'widget without a call', 'alerts-inbox', 'ai-inbox']

/** Of boards, widgets and inboxes, with those composed from cached lists. Printed only. */
export function withoutCallShare(counts: CacheCounts): number {
  return shareOf(counts, READ)
}

function shareOf(counts: CacheCounts, names: readonly string[]): number {
  const sum = (key: 'hits' | 'lookups') =>
    names.reduce((total, name) => total + (counts[name]?.[key] ?? 0), 0)
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
