import { type CacheCounts, hitShare, withMirrorsShare, withoutCallShare } from './cache-hits.ts'
import { type Condition, conditionsOf, percent } from './conditions.ts'
import type { PeakRun } from './run-peak.ts'

/** What one run has measured, for people. */
export function printRun({ measured, watched, streams, caches }: PeakRun): string {
  const { steady, probed } = measured
  const { overall } = steady
  return [
    '',
    `requests ${overall.count}, p50 ${ms(overall.p50Ms)}, p95 ${ms(overall.p95Ms)}, p99 ${ms(overall.p99Ms)}`,
    `sent late p99 ${ms(steady.sentLateP99Ms)}, repeated for a nonce ${steady.challenges}, not sent ${steady.notSent}`,
    `event loop of the service: delay p95 ${ms(probed.loopDelay.p95Ms)}, p99 ${ms(probed.loopDelay.p99Ms)}`,
    `connections taken ${probed.pool.taken}; Redis commands ${probed.redis.session.commands} and ${probed.redis.cache.commands}`,
    `streams ${streams.open}, events received ${streams.events}`,
    `CPU: ${Object.entries(watched.processes).map(shown).join(', ')}`,
    `hits: ${Object.entries(caches).flatMap(hitsOf).join(', ')}`,
    `hits of boards, widgets and inboxes: ${percent(hitShare(caches))}; with preferences and sync cursors: ${percent(withMirrorsShare(caches))}`,
    `boards, widgets and inboxes without an upstream call: ${percent(withoutCallShare(caches))}`,
    `cores, all programs: ${watched.cores.map(percent).join(', ')}`,
    '',
    ...Object.entries(steady.byKind).map(
      ([name, { count, p50Ms, p95Ms, p99Ms, rejected }]) =>
        `  ${name.padEnd(20)} ${String(count).padStart(7)}  p50 ${ms(p50Ms).padStart(9)}  p95 ${ms(p95Ms).padStart(9)}  p99 ${ms(p99Ms).padStart(9)}${rejected === 0 ? '' : `  rejected ${rejected}`}`,
    ),
    '',
    ...conditionsOf(measured).map(printCondition),
  ].join('\n')
}

function printCondition({ text, value, holds }: Condition): string {
  return `${holds ? '✓' : '✗'} ${text}: ${value}`
}

function hitsOf([name, { hits, lookups }]: [string, CacheCounts[string]]): string[] {
  return lookups === 0 ? [] : [`${name} ${percent(hits / lookups)} of ${lookups}`]
}

const shown = ([name, share]: [string, number]) => `${name} ${percent(share)}`

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`
}
