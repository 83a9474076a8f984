import type { Metrics } from '@melmastoon/chassis/telemetry'
import type { DeviceStatus } from './device-sql.ts'

export type DeviceMetrics = ReturnType<typeof deviceMetrics>

export function deviceMetrics(metrics: Metrics) {
  const count = metrics.gauge({
    name: 'device_status_count',
    help: 'Devices of all tenants by status, at the last sweep',
    labels: ['status'],
  })
  return {
    observe: (statuses: Readonly<Record<DeviceStatus, number>>) => {
      for (const [status, devices] of Object.entries(statuses)) count.set({ status }, devices)
    },
  }
}
