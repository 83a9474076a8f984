import type { Database } from '../db/index.ts'
import type { Logger } from '../telemetry/index.ts'

export interface JobContext {
  /** As the role for relays and jobs, never the one that serves requests. */
  readonly db: Database
  /** Fires when the time is over, when the lease is lost and when the process stops. */
  readonly signal: AbortSignal
  readonly logger: Logger
}

/** Counts only: it is stored, logged and shown to operators. */
export type JobSummary = Readonly<Record<string, number | string | boolean>>

export interface Job {
  readonly name: string
  /** Cron pattern; without one the job runs only on request. */
  readonly schedule?: { cron: string; timeZone?: string }
  readonly timeoutMs: number
  run(context: JobContext): Promise<JobSummary>
}

/** A job that uses the collaborators of its service: Redis, upstream clients, stores. */
export interface ContextJob<X> extends Omit<Job, 'run'> {
  runWith(ctx: X, run: JobContext): Promise<JobSummary>
}

/** What a service definition lists; `X` is the context of the service. */
export type ServiceJob<X> = Job | ContextJob<X>

export interface ContextJobOptions<X> {
  readonly name: string
  /** Cron pattern; without one the job runs only on request. */
  readonly cron?: string
  readonly timeZone?: string
  readonly timeoutMs?: number
  run(ctx: X, run: JobContext): Promise<JobSummary>
}

const TIMEOUT_MS = 10 * 60_000
const NAME = /^[a-z][a-z0-9-]{1,62}$/

export function defineJob(job: Job): Job {
  assertValid(job)
  return Object.freeze({ ...job })
}

/** `contextJob({ name, cron, run: (ctx: BookingContext, { signal }) => … })` */
export function contextJob<X>(options: ContextJobOptions<X>): ContextJob<X> {
  const { name, cron, timeZone = 'UTC', timeoutMs = TIMEOUT_MS } = options
  const schedule = cron === undefined ? {} : { schedule: { cron, timeZone } }
  const runWith = (ctx: X, run: JobContext) => options.run(ctx, run)
  const job = { name, timeoutMs, ...schedule, runWith }
  assertValid(job)
  return Object.freeze(job)
}

export function needsContext<X>(job: ServiceJob<X>): job is ContextJob<X> {
  return 'runWith' in job
}

/** The jobs of a service as jobs that run in a process which has its context. */
export function bindJobs<X>(jobs: readonly ServiceJob<X>[], ctx: X): Job[] {
  return jobs.map((job) => {
    if (!needsContext(job)) return job
    return { ...job, run: (run) => job.runWith(ctx, run) }
  })
}

function assertValid({ name, timeoutMs }: Omit<Job, 'run'>): void {
  if (!NAME.test(name)) throw new TypeError(`job name ${name} is not kebab-case`)
  if (!(timeoutMs > 0)) throw new TypeError(`job ${name} needs a timeout`)
}
