import { isProblem, problem } from '@melmastoon/domain'
import type { Database } from '../db/index.ts'
import type { Logger } from '../telemetry/index.ts'
import type { Job, JobSummary } from './job.ts'
import { JobLease } from './job-lease.ts'

/** Everything jobs need to run in a process. */
export interface JobHost {
  db: Database
  jobs: readonly Job[]
  instance: string
  logger: Logger
  /** How long a crashed runner blocks a job. */
  leaseSeconds?: number
}

export interface JobResult {
  job: string
  outcome: 'done' | 'failed' | 'timeout' | 'lost'
  durationMs: number
  summary?: JobSummary
  /** Code of the failure; messages stay in the log. */
  errorCode?: string
}

export interface RunJobOptions {
  /** Stops the run, for example when the process shuts down. */
  signal?: AbortSignal
  quietSeconds?: number
}

const LEASE_SECONDS = 30
/** For a job to stop after its signal; one that ignores it continues without the lease. */
const WIND_UP_MS = 5_000

/**
 * Runs a job by name, at most one at a time across all instances (P11). Throws only when it cannot
 * start: unknown name, already running, database unavailable. The result contains the outcome.
 */
export async function runJob(
  host: JobHost,
  name: string,
  options: RunJobOptions = {},
): Promise<JobResult> {
  const job = host.jobs.find((candidate) => candidate.name === name)
  if (job === undefined) throw problem('MELMASTOON.JOB.UNKNOWN')
  const { db, instance, leaseSeconds = LEASE_SECONDS } = host
  const { quietSeconds = 0 } = options
  using lease = await JobLease.take({ db, name, instance, leaseSeconds, quietSeconds })
  const logger = host.logger.child({ job: name, runner: lease.runner })
  logger.info({ event: 'job_started' }, 'job started')
  const result = await carryOut(job, { host, lease, logger, signal: options.signal })
  const stored = await lease.finish(result)
  const final: JobResult = stored ? result : { ...result, outcome: 'lost' }
  report(logger, final)
  return final
}

interface Run {
  host: JobHost
  lease: JobLease
  logger: Logger
  signal: AbortSignal | undefined
}

async function carryOut(job: Job, { host, lease, logger, signal }: Run): Promise<JobResult> {
  const startedMs = performance.now()
  const expired = AbortSignal.timeout(job.timeoutMs)
  const stop = AbortSignal.any([expired, lease.lost, ...(signal ? [signal] : [])])
  const durationMs = () => Math.round(performance.now() - startedMs)
  const work = job.run({ db: host.db, signal: stop, logger })
  try {
    const summary = await Promise.race([work, rejectOn(stop)])
    return { job: job.name, outcome: 'done', durationMs: durationMs(), summary }
  } catch (error) {
    await letFinish(work)
    const outcome = expired.aborted ? 'timeout' : 'failed'
    logger.error({ error, event: 'job_failed', outcome }, 'job failed')
    return { job: job.name, outcome, durationMs: durationMs(), errorCode: codeOf(error) }
  }
}

/** The lease is held until the work ends, so that no second run starts at the same time. */
async function letFinish(work: Promise<unknown>): Promise<void> {
  const { promise: waited, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, WIND_UP_MS)
  await Promise.race([work.catch(() => undefined), waited])
  clearTimeout(timer)
}

/** A job that ignores its signal must not hold the lease for ever. */
function rejectOn(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const fail = () => reject(signal.reason)
  if (signal.aborted) fail()
  else signal.addEventListener('abort', fail, { once: true })
  return promise
}

function codeOf(error: unknown): string {
  if (isProblem(error)) return error.code
  return error instanceof Error ? error.name : 'unknown'
}

function report(logger: Logger, result: JobResult): void {
  const { outcome, durationMs, errorCode, summary = {} } = result
  const count = Object.values(summary).find((value) => typeof value === 'number')
  logger.info({ event: 'job_finished', outcome, durationMs, errorCode, count }, 'job finished')
}
