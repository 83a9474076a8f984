import { isProblem } from '@melmastoon/domain'
import { Cron } from 'croner'
import type { Job } from './job.ts'
import { type JobHost, runJob } from './run-job.ts'

export interface JobSchedule {
  nextRuns(): Readonly<Record<string, Date | null>>
  /** Starts no new runs, aborts the running ones and waits for them. */
  stop(): Promise<void>
}

/** Clocks of instances differ by less than this; a run this recent was meant for the same tick. */
const QUIET_MAX_SECONDS = 30

/** Every instance may schedule: the lease and the quiet time leave one run per tick. */
export function scheduleJobs(host: JobHost): JobSchedule {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const start = (job: Job, cron: Cron) => {
    const run = runQuietly(host, job, { signal: stopping.signal, quietSeconds: quietOf(cron) })
    running.add(run)
    void run.finally(() => running.delete(run))
    return run
  }
  const crons = host.jobs.flatMap((job) => {
    if (job.schedule === undefined) return []
    const { cron: pattern, timeZone: timezone = 'UTC' } = job.schedule
    const name = `${host.instance}:${job.name}`
    const options = { name, timezone, protect: true, unref: true }
    return [{ job, cron: new Cron(pattern, options, (self: Cron) => start(job, self)) }]
  })
  return {
    nextRuns: () => Object.fromEntries(crons.map(({ job, cron }) => [job.name, cron.nextRun()])),
    async stop() {
      for (const { cron } of crons) cron.stop()
      stopping.abort(new DOMException('the process is stopping', 'AbortError'))
      await Promise.all(running)
    },
  }
}

/** Half the time to the next tick, so that a job each second still runs each second. */
function quietOf(cron: Cron): number {
  return Math.min(QUIET_MAX_SECONDS, (cron.msToNext() ?? 0) / 2000)
}

async function runQuietly(
  host: JobHost,
  job: Job,
  options: { signal: AbortSignal; quietSeconds: number },
): Promise<void> {
  try {
    await runJob(host, job.name, options)
  } catch (error) {
    if (isProblem(error) && error.code === 'MELMASTOON.JOB.ALREADY_RUNNING') return
    host.logger.error({ error, job: job.name }, 'scheduled job could not start')
  }
}
