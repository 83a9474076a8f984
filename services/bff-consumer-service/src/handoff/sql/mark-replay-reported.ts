import { type Statement, sql } from '@melmastoon/chassis/db'
import { type HandoffId, idToUuid } from '@melmastoon/domain'

/** One row for the first who asks, none for all others: one handoff is reported once. */
export function markReplayReported(handoffId: HandoffId): Statement<{ handoff_id: string }> {
  return sql<{ handoff_id: string }>`
    update handoff_replay_log set replay_reported_at = now()
    where handoff_id = ${idToUuid(handoffId)}::uuid and replay_reported_at is null
    returning handoff_id`
}
