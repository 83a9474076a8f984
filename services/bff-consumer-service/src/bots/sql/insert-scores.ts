import { type Statement, sql } from '@melmastoon/chassis/db'
import type { BotSignal, Verdict } from '../score-signals.ts'

/** Hashes only: neither an address nor a user agent comes near the table. */
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
