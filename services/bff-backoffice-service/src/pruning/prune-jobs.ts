import { type Job, pruneJob } from '@melmastoon/chassis/jobs'
import { archiveEvents, pruneArchive, pruneQueueHints, pruneVerdicts } from './pruning-sql.ts'

const HINT_DAYS = 7
const VERDICT_DAYS = 35
/** For replays to a consumer that lost events (D29). */
const PUBLISHED_DAYS = 30
const ARCHIVE_DAYS = 730

/** Jobs on the service's own tables; those on the shared tables are the chassis'. */
export function ownPruneJobs(): Job[] {
  return [
    pruneJob({
      name: 'outbox-archival',
      cron: '7 2 * * *',
      statement: (limit) => archiveEvents(PUBLISHED_DAYS, limit),
    }),
    pruneJob({
      name: 'outbox-archive-prune',
      cron: '47 3 * * 0',
      statement: (limit) => pruneArchive(ARCHIVE_DAYS, limit),
    }),
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
