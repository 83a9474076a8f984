import { type Statement, sql } from '@melmastoon/chassis/db'

/** Seven days, then nobody need know any more (C9). */
export function pruneScores(limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with gone as (
      delete from bff_consumer.bot_score_log where id = any (array(
        select id from bff_consumer.bot_score_log
        where evaluated_at < now() - interval '7 days'
        order by evaluated_at limit ${limit}))
      returning 1)
    select count(*)::int as pruned from gone`
}
