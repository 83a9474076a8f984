import { type Statement, sql } from '@melmastoon/chassis/db'

export interface ScenarioTarget {
  readonly tenant: string
  readonly property: string
  readonly reservation: string
}

/** That of the reservation takes precedence. Null `times`: until it is removed. */
export function selectScenario(target: ScenarioTarget): Statement<ScenarioRow> {
  return sql<ScenarioRow>`
    select scope, scope_id, scenario, times from sandbox.lock_scenario
    where tenant_id = ${target.tenant}::uuid
      and (scope, scope_id) in (('reservation', ${target.reservation}::uuid),
        ('property', ${target.property}::uuid))
    order by scope desc limit 1`
}

export interface ScenarioRow extends ScenarioScope {
  readonly scenario: string
  readonly times: number | null
}

export interface ScenarioScope {
  readonly scope: 'property' | 'reservation'
  readonly scope_id: string
}

/** No row when another action has taken the last turn. */
export function takeTurn(
  tenant: string,
  { scope, scope_id }: ScenarioScope,
): Statement<{ times: number | null }> {
  return sql<{ times: number | null }>`
    with counted as (
      update sandbox.lock_scenario set times = times - 1
      where tenant_id = ${tenant}::uuid and scope = ${scope} and scope_id = ${scope_id}::uuid
        and times > 1
      returning times),
    last_turn as (
      delete from sandbox.lock_scenario
      where tenant_id = ${tenant}::uuid and scope = ${scope} and scope_id = ${scope_id}::uuid
        and times = 1
      returning times)
    select times from counted union all select times from last_turn`
}

export function putScenario(tenant: string, row: ScenarioRow): Statement<unknown> {
  return sql`
    insert into sandbox.lock_scenario as s (tenant_id, scope, scope_id, scenario, times)
    values (${tenant}::uuid, ${row.scope}, ${row.scope_id}::uuid, ${row.scenario},
      ${row.times}::int)
    on conflict (tenant_id, scope, scope_id) do update
    set scenario = excluded.scenario, times = excluded.times, changed_at = now()`
}

export function deleteScenario(
  tenant: string,
  { scope, scope_id }: ScenarioScope,
): Statement<unknown> {
  return sql`
    delete from sandbox.lock_scenario
    where tenant_id = ${tenant}::uuid and scope = ${scope} and scope_id = ${scope_id}::uuid`
}

export function selectScenarios(tenant: string, rows: number): Statement<ScenarioRow> {
  return sql<ScenarioRow>`
    select scope, scope_id, scenario, times from sandbox.lock_scenario
    where tenant_id = ${tenant}::uuid order by changed_at desc limit ${rows}`
}
