import { type Statement, sql } from '@melmastoon/chassis/db'

interface SettingRow {
  version: number
  /** Null when nothing is set at all. */
  name: string | null
  value: unknown
}

/** No rows while the version is the one already known. */
export function readSettings(knownVersion: number): Statement<SettingRow> {
  return sql<SettingRow>`
    select v.version, s.name, s.value
    from sandbox.scenario_version v left join sandbox.scenario_setting s on true
    where v.version <> ${knownVersion}
    order by s.name`
}
