import { type Id, idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { ALERT_STATES, Alert } from '@melmastoon/upstream-contracts/notification'
import { type Static, Type } from 'typebox'
import { boardClassOf, type Operator } from '../access/operator.ts'

const { alertId, propertyId, category, severity, title, audience, resourceKind, resourceId } =
  Alert.properties
const { raisedAt, version } = Alert.properties

export const AlertVM = named(
  'AlertInboxEntry',
  Type.Object({
    alertId,
    entryId: Type.String({ pattern: idPattern('ali') }),
    propertyId,
    category,
    severity,
    title,
    audience,
    resourceKind,
    resourceId,
    raisedAt,
    state: Type.Enum([...ALERT_STATES], {
      description: 'For this operator: open until they have acknowledged it themselves',
    }),
    acknowledgedBy: Type.Array(
      Type.Object({
        operatorId: Type.String({ pattern: idPattern('opr') }),
        at: Type.String({ format: 'date-time' }),
      }),
      { description: 'All operators who have acknowledged it' },
    ),
    version,
  }),
)
export type AlertVM = Static<typeof AlertVM>

/** Managers see all alerts, everybody else those for one of their roles. */
export function concerns(
  operator: Pick<Operator, 'roles'>,
  { audience: roles }: Pick<Alert, 'audience'>,
): boolean {
  return boardClassOf(operator) === 'mgmt' || roles.some((role) => operator.roles.includes(role))
}

/** Without the notes of operators, which are free text. */
export function viewAlert(alert: Alert, { operatorId }: Pick<Operator, 'operatorId'>): AlertVM {
  const acknowledgedBy = alert.acknowledgedBy.map((by) => ({
    operatorId: by.operatorId,
    at: by.at,
  }))
  const isDone = acknowledgedBy.some((by) => by.operatorId === operatorId)
  return {
    alertId: alert.alertId,
    entryId: entryIdOf(alert.alertId),
    propertyId: alert.propertyId,
    category: alert.category,
    severity: alert.severity,
    title: alert.title,
    audience: alert.audience,
    resourceKind: alert.resourceKind,
    resourceId: alert.resourceId,
    raisedAt: alert.raisedAt,
    state: isDone ? 'acknowledged' : 'open',
    acknowledgedBy,
    version: alert.version,
  }
}

/** An alert has one entry per inbox, hence the same id with another prefix. */
const entryIdOf = (id: Id<'alt'>): Id<'ali'> => id.replace('alt_', 'ali_') as Id<'ali'>
