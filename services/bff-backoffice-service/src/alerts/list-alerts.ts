import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { PropertyId } from '@melmastoon/domain'
import type { Alert, AlertState } from '@melmastoon/upstream-contracts/notification'
import { type Operator, requireProperty } from '../access/operator.ts'
import { type AlertInboxDeps, readAlertInbox } from './alert-inbox.ts'
import { type AlertVM, concerns, viewAlert } from './alert-view.ts'

export interface AlertQuery {
  readonly propertyId: PropertyId
  readonly state?: AlertState | undefined
  readonly severity?: Alert['severity'] | undefined
  readonly limit: number
}

export interface ListedAlerts {
  readonly rows: AlertVM[]
  /** All that match, whatever the limit. */
  readonly total: number
  readonly ageMs: number
  readonly isStale: boolean
}

/** The alerts of a property for the roles of the operator, newest first (B5). */
export async function listAlerts(
  deps: AlertInboxDeps,
  { operator, query }: { readonly operator: Operator; readonly query: AlertQuery },
  call: UpstreamCall,
): Promise<ListedAlerts> {
  const propertyId = requireProperty(operator, query.propertyId)
  const { tenantId } = operator
  const { alerts, ageMs, isStale } = await readAlertInbox(deps, { tenantId, propertyId }, call)
  const found = alerts
    .filter((alert) => concerns(operator, alert))
    .map((alert) => viewAlert(alert, operator))
    .filter(({ state }) => query.state === undefined || state === query.state)
    .filter(({ severity }) => query.severity === undefined || severity === query.severity)
  return { rows: found.slice(0, query.limit), total: found.length, ageMs, isStale }
}
