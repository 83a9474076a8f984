import { type Statement, sql } from '@melmastoon/chassis/db'
import type { RuleSet } from '../engine/rule-set.ts'

export interface RuleSetRow {
  readonly rule_set_id: string
  readonly rules: RuleSet
}

export function readRuleSets(ids: readonly string[]): Statement<RuleSetRow> {
  return sql<RuleSetRow>`
    select rule_set_id, rules from sandbox.pricing_rule_set where rule_set_id = any(${ids})`
}
