import type { Clock } from '@melmastoon/chassis/clock'
import type { CallOptions, Database } from '@melmastoon/chassis/db'
import { type Id, type PropertyId, uuidToId } from '@melmastoon/domain'
import type { KeyRing } from '@melmastoon/security'
import { boardClassOf, type Operator, requireProperty } from '../access/operator.ts'
import { openCursor, type Position, sealCursor } from './activity-cursor.ts'
import { type ActivityFilter, type ListedRow, selectActivity } from './activity-sql.ts'

export interface ListDeps {
  readonly db: Database
  readonly clock: Clock
  readonly cursorKeys: KeyRing
}

export interface ActivityQuery {
  readonly propertyId?: PropertyId | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

export interface ListedActivity extends Omit<ListedRow, 'id' | 'propertyId'> {
  readonly activityId: Id<'act'>
  readonly propertyId: PropertyId | null
}

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 7
/** Older rows are in the audit lake only. */
const HOT_DAYS = 90

/**
 * Newest first. Managers see the rows of their properties, those without a property of operators
 * who work there, and their own; everybody else sees their own. With a property: only its rows, and
 * for managers those without a property of operators who work there. A cursor is valid for its
 * operator and query.
 */
export async function listActivity(
  { db, clock, cursorKeys }: ListDeps,
  { operator, query }: { readonly operator: Operator; readonly query: ActivityQuery },
  options: CallOptions = {},
): Promise<{ rows: ListedActivity[]; nextCursor: string | null }> {
  const range = rangeOf(query, clock.now())
  const scope = scopeOf(operator, query)
  const binding = JSON.stringify([
    operator.tenantId,
    operator.operatorId,
    scope,
    query.from ?? null,
  ])
  const after = query.cursor === undefined ? null : openCursor(cursorKeys, binding, query.cursor)
  const filter = { ...range, ...scope, after, limit: query.limit + 1 }
  const found = await db.tenantQuery(operator.tenantId, selectActivity(filter), options)
  const rows = found.slice(0, query.limit)
  const last = found.length > rows.length ? rows.at(-1) : undefined
  const nextCursor = last === undefined ? null : sealCursor(cursorKeys, binding, positionOf(last))
  return { rows: rows.map(view), nextCursor }
}

function rangeOf({ from, to }: ActivityQuery, now: Date): Pick<ActivityFilter, 'from' | 'to'> {
  const end = to ?? new Date(now.getTime() + DAY_MS)
  const start = from ?? new Date(Math.min(end.getTime(), now.getTime()) - DEFAULT_DAYS * DAY_MS)
  const oldest = new Date(now.getTime() - HOT_DAYS * DAY_MS)
  return { from: start < oldest ? oldest : start, to: end }
}

function scopeOf(
  operator: Operator,
  { propertyId }: ActivityQuery,
): Pick<ActivityFilter, 'own' | 'properties' | 'besides'> {
  const named = propertyId === undefined ? null : [requireProperty(operator, propertyId)]
  if (boardClassOf(operator) !== 'mgmt') return { own: operator.operatorId, properties: named }
  const { properties, operatorId } = operator
  if (named !== null) return { own: null, properties: named, besides: { own: null } }
  const all = properties === '*' ? null : [...properties]
  return { own: null, properties: all, besides: { own: operatorId } }
}

const positionOf = ({ id, occurredAt }: ListedRow): Position => ({ id, atMs: occurredAt.getTime() })

function view({ id, propertyId, ...rest }: ListedRow): ListedActivity {
  return {
    activityId: uuidToId('act', id),
    propertyId: propertyId === null ? null : uuidToId('ppt', propertyId),
    ...rest,
  }
}
