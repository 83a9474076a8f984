import { type Statement, sql } from '@melmastoon/chassis/db'

export const SCENARIOS_TOPIC = 'scenarios'

interface SettingRow {
  version: number
  /** Null when nothing is set. */
  name: string | null
  value: unknown
}

/** No rows while the version is unchanged. */
export function readSettings(knownVersion: number): Statement<SettingRow> {
  return sql<SettingRow>`
    select v.version, s.name, s.value
    from sandbox.scenario_version v left join sandbox.scenario_setting s on true
    where v.version <> ${knownVersion}
    order by s.name`
}

export function putSetting(name: string, value: unknown): Statement<unknown> {
  return sql`
    insert into sandbox.scenario_setting as s (name, value)
    values (${name}, ${JSON.stringify(value)}::jsonb)
    on conflict (name) do update set value = excluded.value, changed_at = now()`
}

/** The setting itself and those below it: `fault:pricing` includes `fault:pricing.preview`. */
export function dropSettings(name: string): Statement<unknown> {
  return sql`
    delete from sandbox.scenario_setting
    where name = ${name} or starts_with(name, ${`${name}.`})`
}

export function dropAllFaults(): Statement<unknown> {
  return sql`delete from sandbox.scenario_setting where starts_with(name, 'fault:')`
}

/** First in every change: its row lock serializes changes of several processes. */
export function incrementVersion(): Statement<unknown> {
  return sql`update sandbox.scenario_version set version = version + 1`.announcing(SCENARIOS_TOPIC)
}

/** No row when none is left. The row lock lets each call of several processes count once. */
export function takeFaultTurn(name: string): Statement<{ times: number }> {
  return sql<{ times: number }>`
    update sandbox.scenario_setting
    set value = jsonb_set(value, '{times}', to_jsonb((value ->> 'times')::int - 1))
    where name = ${name} and (value ->> 'times')::int > 0
    returning (value ->> 'times')::int as times`
}
