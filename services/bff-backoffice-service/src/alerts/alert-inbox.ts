import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import { type PropertyId, problem, type TenantId } from '@melmastoon/domain'
import type {
  Alert,
  AlertState,
  notificationContract,
} from '@melmastoon/upstream-contracts/notification'

export type AlertInboxCache = DefinedCache<'tenantId' | 'propertyId'>

export interface AlertInboxDeps {
  readonly alertInbox: AlertInboxCache
  readonly upstreams: {
    readonly notification: Pick<ClientOf<typeof notificationContract>, 'listAlerts'>
  }
}

interface InboxKey {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

/** The alerts of a property, newest first, and how old this copy of them is. */
export interface AlertInbox {
  readonly alerts: readonly Alert[]
  readonly ageMs: number
  readonly isStale: boolean
}

const FRESH_MS = 30_000
const STALE_IF_ERROR_MS = 5 * 60_000
const PAGE_ROWS = 200
/** Per state; older alerts of a hotel with more than these are not shown. */
const PAGES_MAX: Readonly<Record<AlertState, number>> = { open: 3, acknowledged: 1 }
const STATES = ['open', 'acknowledged'] as const

/** `alerts:inbox` of the key schema. */
export function defineAlertInbox(cache: Cache, timeoutMs: number): AlertInboxCache {
  return cache.define({
    name: 'alerts-inbox',
    dimensions: ['tenantId', 'propertyId'],
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    jitter: 0,
    loadTimeoutMs: timeoutMs * PAGES_MAX.open,
    isSent: false,
  })
}

/** A raised or acknowledged alert invalidates the inbox of its property. */
export const alertsTag = (propertyId: PropertyId): string => `alerts:${propertyId}`

/** @throws Problem RESOURCE_NOT_FOUND for a property of another tenant (D18). */
export async function readAlertInbox(
  { alertInbox, upstreams }: AlertInboxDeps,
  { tenantId, propertyId }: InboxKey,
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<AlertInbox> {
  const entry = await alertInbox.get({
    dims: { tenantId, propertyId },
    tags: [alertsTag(propertyId)],
    deadline: requestDeadline,
    load: async (_signal, deadline) => {
      const call = { deadline, trace, tenantId }
      const lists = await Promise.all(
        STATES.map((state) => readPages(upstreams.notification, { propertyId, state }, call)),
      ).catch(asAbsent)
      if (lists === null) return { body: '[]', status: 404 }
      return { body: JSON.stringify(newestFirst(lists.flat())) }
    },
  })
  if (entry.status !== 200) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  const alerts = JSON.parse(entry.body.toString()) as Alert[]
  return { alerts, ageMs: Math.round(entry.ageMs), isStale: entry.state === 'stale' }
}

async function readPages(
  notification: AlertInboxDeps['upstreams']['notification'],
  { propertyId, state }: { readonly propertyId: PropertyId; readonly state: AlertState },
  call: UpstreamCall & { readonly tenantId: TenantId },
): Promise<Alert[]> {
  const all: Alert[] = []
  let position: { readonly cursor?: string } = {}
  for (let page = 0; page < PAGES_MAX[state]; page += 1) {
    const query = { state, limit: PAGE_ROWS, ...position }
    const { alerts, nextCursor } = await notification.listAlerts(
      { params: { propertyId }, query },
      call,
    )
    all.push(...alerts)
    if (nextCursor === undefined) break
    position = { cursor: nextCursor }
  }
  return all
}

/** Between the two reads an alert may have been acknowledged: the later version counts. */
function newestFirst(alerts: readonly Alert[]): Alert[] {
  const byId = new Map<string, Alert>()
  for (const alert of alerts) {
    const known = byId.get(alert.alertId)
    if (known === undefined || known.version < alert.version) byId.set(alert.alertId, alert)
  }
  return [...byId.values()].sort((a, b) => (a.raisedAt < b.raisedAt ? 1 : -1))
}
