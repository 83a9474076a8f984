import { type Statement, sql } from '@melmastoon/chassis/db'
import type { BotSignal, Verdict } from './scoring.ts'

/** Hashes only: the table contains neither addresses nor user agents. */
export interface ScoreRow {
  readonly guest_session_id: string | null
  readonly fingerprint_hash: string
  readonly ip_hash: string
  readonly score: number
  readonly verdict: Verdict
  readonly signals: readonly BotSignal[]
}

export function insertScores(rows: readonly ScoreRow[]): Statement<unknown> {
  return sql`
    insert into bff_consumer.bot_score_log
      (guest_session_id, fingerprint_hash, ip_hash, score, verdict, signals)
    select guest_session_id, fingerprint_hash, ip_hash, score, verdict, signals
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(
      guest_session_id uuid, fingerprint_hash text, ip_hash text,
      score real, verdict text, signals jsonb)`
}

/** Scores are retained for seven days (C9). */
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
