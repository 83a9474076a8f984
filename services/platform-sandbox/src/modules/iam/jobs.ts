import { defineJob, type Job, type JobContext } from '@melmastoon/chassis/jobs'
import { pruneChallenges, pruneFailures, pruneFamilies, pruneSigningKeys } from './prune-sql.ts'

const PRUNE_ROWS = 5_000

export const iamJobs: readonly Job[] = [
  defineJob({
    name: 'prune-iam',
    schedule: { cron: '41 * * * *' },
    timeoutMs: 5 * 60_000,
    async run(context) {
      return {
        families: await pruneAll(context, pruneFamilies),
        challenges: await pruneAll(context, pruneChallenges),
        failures: await pruneAll(context, pruneFailures),
        keys: await pruneAll(context, pruneSigningKeys),
      }
    },
  }),
]

async function pruneAll(
  { db, signal }: JobContext,
  statement: typeof pruneFamilies,
): Promise<number> {
  for (let deleted = 0; ; ) {
    signal.throwIfAborted()
    const [row] = await db.query(statement(PRUNE_ROWS))
    const pruned = row?.pruned ?? 0
    deleted += pruned
    if (pruned < PRUNE_ROWS) return deleted
  }
}
