import type { ClientOf } from '@melmastoon/bff/upstreams'
import { type Clock, createDeadline } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type DeviceId, newId, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { notificationContract } from '@melmastoon/upstream-contracts/notification'
import { deviceStatusChanged } from '../events/device-events.ts'
import type { EventDeps } from '../events/staff-call.ts'
import type { DeviceMetrics } from './device-metrics.ts'
import {
  type ChangedDevice,
  countStatuses,
  selectChangedDevices,
  updateStatuses,
} from './device-sql.ts'

export interface SweepDeps extends EventDeps {
  /** As the role for jobs: devices of all tenants. */
  readonly relayDb: Database
  readonly clock: Clock
  readonly config: { readonly instance: string }
  readonly errors: Pick<ErrorReporter, 'report'>
  readonly deviceMetrics: DeviceMetrics
  readonly upstreams: {
    readonly notification: Pick<ClientOf<typeof notificationContract>, 'raise'>
  }
}

const BATCH = 200
const ALERTS_AT_ONCE = 10
const ALERT_MS = 3_000
const FIRST = '00000000-0000-0000-0000-000000000000'

/** The job `device-status-sweep`: devices that stopped or resumed sending heartbeats (B7). */
export async function sweepDevices(
  deps: SweepDeps,
  signal: AbortSignal,
): Promise<{ changed: number; postponed: number }> {
  const count = { changed: 0, postponed: 0 }
  for (let after = FIRST; ; ) {
    signal.throwIfAborted()
    const found = await deps.relayDb.query(selectChangedDevices(BATCH, { after }))
    const changed = await announce(deps, found)
    count.changed += changed
    count.postponed += found.length - changed
    const last = found.at(-1)
    if (last === undefined || found.length < BATCH) break
    after = last.id
  }
  await observeStatuses(deps)
  return count
}

async function observeStatuses({ relayDb, deviceMetrics }: SweepDeps): Promise<void> {
  const [statuses] = await relayDb.query(countStatuses())
  if (statuses !== undefined) deviceMetrics.observe(statuses)
}

/** One device, whose heartbeat has just arrived. */
export async function sweepDevice(deps: SweepDeps, deviceId: DeviceId): Promise<void> {
  const after = FIRST
  await announce(deps, await deps.relayDb.query(selectChangedDevices(1, { after, deviceId })))
}

/**
 * The alerts first: a device whose alert could not be raised keeps its status and is found again by
 * the next run. A repeated alert has the key of the first.
 */
async function announce(deps: SweepDeps, found: readonly ChangedDevice[]): Promise<number> {
  const alerted: ChangedDevice[] = []
  for (let from = 0; from < found.length; from += ALERTS_AT_ONCE) {
    const part = found.slice(from, from + ALERTS_AT_ONCE)
    const results = await Promise.all(part.map((device) => raiseAlert(deps, device)))
    alerted.push(...part.filter((_, at) => results[at]))
  }
  if (alerted.length === 0) return 0
  return await deps.relayDb.transaction(async (tx) => {
    const updated = new Set((await tx.query(updateStatuses(alerted))).map(({ id }) => id))
    const events = alerted.filter(({ id }) => updated.has(id)).map((row) => eventOf(deps, row))
    await appendEvents(tx, events)
    return events.length
  })
}

/** False: it is not known to be raised. A device without a property has nobody to alert. */
async function raiseAlert(
  { upstreams, errors }: SweepDeps,
  device: ChangedDevice,
): Promise<boolean> {
  if (device.property_id === null) return true
  const { device_id: deviceId, new_status: status, last_heartbeat_at: lastAt } = device
  const name = `device_${status}`
  using deadline = createDeadline(ALERT_MS)
  try {
    await upstreams.notification.raise(
      {
        body: {
          propertyId: uuidToId('ppt', device.property_id),
          category: 'device_offline',
          severity: status === 'offline' ? 'warning' : 'info',
          title: { key: `alerts.${name}`, params: { deviceId, since: toIsoDateTime(lastAt) } },
          audience: ['general_manager', 'owner'],
          resourceKind: 'device',
          resourceId: deviceId,
          deduplicationKey: `${name}:${deviceId}`,
        },
      },
      {
        tenantId: uuidToId('tnt', device.tenant_id),
        deadline,
        idempotencyKey: `${name}:${deviceId}:${keyTime(device)}`,
      },
    )
    return true
  } catch (error) {
    errors.report('devices', error)
    // Rejected for ever, for example because the property no longer exists.
    return error instanceof UpstreamRejection && error.status === 404
  }
}

/** The silence has one last heartbeat; what ended it may be any of several. */
function keyTime({ new_status, last_heartbeat_at }: ChangedDevice): number {
  const ms = last_heartbeat_at.getTime()
  return new_status === 'offline' ? ms : Math.floor(ms / 300_000)
}

function eventOf({ registry, config, clock }: SweepDeps, device: ChangedDevice): OutboxEvent {
  const { property_id: propertyId } = device
  const tenantId = uuidToId('tnt', device.tenant_id)
  return registry.build(
    deviceStatusChanged.subject,
    {
      tenantId,
      deviceId: device.device_id,
      propertyId: propertyId === null ? null : uuidToId('ppt', propertyId),
      status: device.new_status,
      lastHeartbeatAt: toIsoDateTime(device.last_heartbeat_at),
    },
    {
      producerInstance: config.instance,
      tenantId,
      requestId: newId('req'),
      traceparent: renderTraceparent(newTrace()),
      occurredAt: clock.now(),
    },
  )
}
