import { type ContextJob, contextJob } from '@melmastoon/chassis/jobs'
import type { BookingContext } from './context.ts'
import { checkFulfilments } from './fulfilment/check-fulfilments.ts'
import { pollOnce } from './fulfilment/poll-fulfilments.ts'
import { sweepDrafts } from './sweeping/sweep-drafts.ts'

/** Jobs that need the upstreams; those that only delete old rows are in pruning/. */
export function bookingJobs(): ContextJob<BookingContext>[] {
  return [
    contextJob({
      name: 'sweep-abandoned-drafts',
      cron: '* * * * *',
      timeoutMs: 5 * 60_000,
      run: (ctx: BookingContext, { signal }) => sweepDrafts(ctx, signal),
    }),
    contextJob({
      name: 'check-fulfilments',
      cron: '*/5 * * * *',
      run: (ctx: BookingContext, { signal }) => checkFulfilments(ctx, signal),
    }),
    /** On request: what the poller of every instance does all the time. */
    contextJob({
      name: 'reconcile-fulfilments',
      run: async (ctx: BookingContext, { signal }) => ({ due: await pollOnce(ctx, signal) }),
    }),
  ]
}
