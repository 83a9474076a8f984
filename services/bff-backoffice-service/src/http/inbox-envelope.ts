import type { Clock } from '@melmastoon/chassis/clock'
import { idPattern, type PropertyId } from '@melmastoon/domain'
import { Type } from 'typebox'

/** What every inbox says about its copy of the upstream's list. */
export const inboxFields = {
  propertyId: Type.String({ pattern: idPattern('ppt') }),
  asOf: Type.String({ format: 'date-time', description: 'When the list was read' }),
  ageMs: Type.Integer({ minimum: 0 }),
  source: Type.Enum(['current', 'stale'], {
    description: 'stale: the upstream does not respond, this is the last known list',
  }),
  page: Type.Object({
    total: Type.Integer({ minimum: 0, description: 'All rows that match' }),
    hasMore: Type.Boolean({ description: 'More match than `limit` allows' }),
  }),
}

interface Listed {
  readonly propertyId: PropertyId
  readonly rows: readonly unknown[]
  readonly total: number
  readonly ageMs: number
  readonly isStale: boolean
}

export function inboxMeta(
  { clock }: { readonly clock: Clock },
  { propertyId, rows, total, ageMs, isStale }: Listed,
) {
  return {
    propertyId,
    asOf: new Date(clock.nowMs() - ageMs).toISOString(),
    ageMs,
    source: isStale ? ('stale' as const) : ('current' as const),
    page: { total, hasMore: total > rows.length },
  }
}
