import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { type Id, idToUuid, type TenantId } from '@melmastoon/domain'
import type { Effect } from './decision-effect.ts'

export interface EffectRow {
  readonly id: string
  readonly tenant_id: string
  readonly decision_id: string
  readonly effect: Effect
  readonly attempts: number
}

/** Selects `from decided`: the effects exist if the decision does. */
export function insertEffects(
  tenantId: TenantId,
  decisionId: Id<'sdl'>,
  effects: readonly Effect[],
): SqlFragment {
  return sql`insert into ai_decision_effect (tenant_id, decision_id, kind, effect)
    select ${idToUuid(tenantId)}::uuid, ${idToUuid(decisionId)}::uuid, e.value ->> 'kind', e.value
    from decided, jsonb_array_elements(${JSON.stringify(effects)}::jsonb) e`
}

/**
 * Effects that are due, of one decision or of all tenants. Each is due again after a pause that
 * doubles with every attempt, so that a process that ends during the call loses nothing.
 */
export function claimEffects(
  limit: number,
  decisionId: Id<'sdl'> | null = null,
): Statement<EffectRow> {
  const uuid = decisionId === null ? null : idToUuid(decisionId)
  return sql<EffectRow>`update ai_decision_effect set attempts = attempts + 1,
      next_attempt_at = now() + least(interval '30 seconds' * power(2, attempts), interval '1 hour')
    where id in (
      select id from ai_decision_effect
      where state = 'pending' and next_attempt_at <= now()
        and (${uuid}::uuid is null or decision_id = ${uuid}::uuid)
      order by next_attempt_at limit ${limit}::int for update skip locked)
    returning id, tenant_id, decision_id, effect, attempts`
}

export function settleEffect(
  id: string,
  state: 'done' | 'failed',
  errorCode: string | null,
): Statement<unknown> {
  return sql`update ai_decision_effect
    set state = ${state}, error_code = ${errorCode}, settled_at = now()
    where id = ${id}::uuid and state = 'pending'`
}

const RETENTION_DAYS = 30

/** The decision itself is retained for seven years. */
export function pruneEffects(limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`with old as (
      select id from ai_decision_effect
      where settled_at < now() - make_interval(days => ${RETENTION_DAYS}::int)
      order by settled_at limit ${limit}::int),
    gone as (delete from ai_decision_effect e using old where e.id = old.id returning 1)
    select count(*)::int as pruned from gone`
}
