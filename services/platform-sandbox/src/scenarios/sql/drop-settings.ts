import { type Statement, sql } from '@melmastoon/chassis/db'

/** The setting itself and those below it: `fault:pricing` takes `fault:pricing.preview` along. */
export function dropSettings(name: string): Statement<unknown> {
  return sql`
    delete from sandbox.scenario_setting
    where name = ${name} or starts_with(name, ${`${name}.`})`
}

export function dropAllFaults(): Statement<unknown> {
  return sql`delete from sandbox.scenario_setting where starts_with(name, 'fault:')`
}
