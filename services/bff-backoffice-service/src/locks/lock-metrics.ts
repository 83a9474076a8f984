import type { Metrics } from '@melmastoon/chassis/telemetry'
import type { LockVendor } from '@melmastoon/upstream-contracts/lock'

export type LockMetrics = ReturnType<typeof lockMetrics>

export function lockMetrics(metrics: Metrics) {
  const total = metrics.counter({
    name: 'lock_action_total',
    help: 'Actions on keys, by the outcome that was recorded',
    labels: ['outcome', 'vendor'],
  })
  const open = metrics.gauge({ name: 'lock_action_open', help: 'Actions that are not settled' })
  const oldest = metrics.gauge({
    name: 'lock_action_oldest_open_seconds',
    help: 'Age of the oldest action that is not settled',
  })
  return {
    count: (outcome: 'success' | 'failure' | 'unknown', vendor: LockVendor) =>
      total.inc({ outcome, vendor }),
    observe: (health: { readonly open: number; readonly oldestSeconds: number }) => {
      open.set({}, health.open)
      oldest.set({}, health.oldestSeconds)
    },
  }
}
