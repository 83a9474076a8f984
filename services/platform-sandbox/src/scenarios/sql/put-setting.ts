import { type Statement, sql } from '@melmastoon/chassis/db'

export function putSetting(name: string, value: unknown): Statement<unknown> {
  return sql`
    insert into sandbox.scenario_setting as s (name, value)
    values (${name}, ${JSON.stringify(value)}::jsonb)
    on conflict (name) do update set value = excluded.value, changed_at = now()`
}
