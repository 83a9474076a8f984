import { type Statement, sql } from '@melmastoon/chassis/db'

/** First in every change: its row lock puts changes of several processes in one order. */
export function raiseVersion(): Statement<unknown> {
  return sql`update sandbox.scenario_version set version = version + 1`
}
