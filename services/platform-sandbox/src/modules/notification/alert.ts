import { type TenantId, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type {
  AlertDetail,
  AlertState,
  notificationContract,
} from '@melmastoon/upstream-contracts/notification'

export type NotificationOperations = (typeof notificationContract)['operations']

export interface AlertRow {
  readonly tenant_id: string
  readonly alert_id: string
  readonly property_id: string
  readonly category: AlertDetail['category']
  readonly severity: AlertDetail['severity']
  readonly title: AlertDetail['title']
  readonly audience: AlertDetail['audience']
  readonly resource_kind: AlertDetail['resourceKind']
  readonly resource_id: string
  readonly state: AlertState
  readonly raised_at: Date
  readonly raised_by: string | null
  readonly causation_id: string | null
  readonly version: number
  readonly updated_at: Date
  /** Oldest first. */
  readonly acknowledgements: readonly AcknowledgementRow[]
}

interface AcknowledgementRow {
  readonly operator_id: string
  readonly note: string | null
  readonly causation_id: string | null
  readonly version: number
  readonly at: string
}

export type StoredAlert = AlertDetail & { readonly tenantId: TenantId }

export function fromRow(row: AlertRow): StoredAlert {
  const { acknowledgements: acks } = row
  return {
    tenantId: uuidToId('tnt', row.tenant_id),
    alertId: uuidToId('alt', row.alert_id),
    propertyId: uuidToId('ppt', row.property_id),
    category: row.category,
    severity: row.severity,
    title: row.title,
    audience: row.audience,
    resourceKind: row.resource_kind,
    resourceId: row.resource_id,
    state: row.state,
    raisedAt: toIsoDateTime(row.raised_at),
    acknowledgedBy: acks.map(({ operator_id, at, note }) => ({
      operatorId: uuidToId('opr', operator_id),
      at: toIsoDateTime(new Date(at)),
      ...(note !== null && { note }),
    })),
    version: row.version,
    updatedAt: toIsoDateTime(row.updated_at),
    history: historyOf(row),
  }
}

/** The form of the contract, for callers. */
export function toDetail(alert: StoredAlert): AlertDetail {
  const { tenantId: _, ...detail } = alert
  return detail
}

/** The raise and the acknowledgements are the only changes, so they are the history. */
function historyOf(row: AlertRow): AlertDetail['history'] {
  const raised = { version: 1, status: 'open' as const, at: row.raised_at, ...causeOf(row) }
  const acknowledged = row.acknowledgements.map((ack) => ({
    version: ack.version,
    status: 'acknowledged' as const,
    at: new Date(ack.at),
    ...causeOf({ raised_by: ack.operator_id, causation_id: ack.causation_id }),
  }))
  return [raised, ...acknowledged].map((entry) => ({ ...entry, at: toIsoDateTime(entry.at) }))
}

function causeOf({ raised_by, causation_id }: Pick<AlertRow, 'raised_by' | 'causation_id'>) {
  return {
    ...(raised_by !== null && { operatorId: uuidToId('opr', raised_by) }),
    ...(causation_id !== null && { causationId: causation_id }),
  }
}
