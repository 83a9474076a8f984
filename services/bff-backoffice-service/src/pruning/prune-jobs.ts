import { type Job, pruneJob } from '@melmastoon/chassis/jobs'
import { pruneQueueHints, pruneVerdicts } from './pruning-sql.ts'

const HINT_DAYS = 7
const VERDICT_DAYS = 35

/** Jobs on the service's own tables; those on the shared tables are the chassis'. */
export function ownPruneJobs(): Job[] {
  return [
    pruneJob({
      name: 'oaq-hints-prune',
      cron: '37 * * * *',
      statement: (limit) => pruneQueueHints(HINT_DAYS, limit),
    }),
    pruneJob({
      name: 'verdict-prune',
      cron: '43 3 * * *',
      statement: (limit) => pruneVerdicts(VERDICT_DAYS, limit),
    }),
  ]
}
