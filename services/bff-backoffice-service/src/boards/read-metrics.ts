import type { Metrics } from '@melmastoon/chassis/telemetry'

export type ReadMetrics = ReturnType<typeof readMetrics>

/** A board that is composed from cached lists is a miss of its own cache, but costs no call. */
export function readMetrics(metrics: Metrics) {
  const reads = metrics.counter({
    name: 'composed_reads_total',
    help: 'Boards and widgets that were read, by whether an upstream was called for them',
    labels: ['kind', 'upstream'],
  })
  return {
    onRead: (kind: 'board' | 'widget', isLive: boolean) =>
      reads.inc({ kind, upstream: isLive ? 'called' : 'none' }),
  }
}
