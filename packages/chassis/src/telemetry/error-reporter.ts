import { isProblem } from '@melmastoon/domain'
import { type Clock, systemClock } from '../clock/index.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

/**
 * Reports failures of work that no request waits for: connections, relays, consumers, refreshes.
 * Every report names the component, so that a log line leads to the code that failed.
 */
export interface ErrorReporter {
  /** `job`: the task of the component, from a fixed set, such as a job's name. */
  report(component: string, error: unknown, job?: string): void
  /** The same as a callback, for a component that takes `onError`. */
  for(component: string, job?: string): (error: unknown) => void
}

export interface ErrorReporterOptions {
  logger: Logger
  metrics: Metrics
  clock?: Clock
}

/** An outage repeats the same failure many times a second; the counter counts each of them. */
const REPEAT_AFTER_MS = 10_000

/**
 * Failures of a dependency are warnings and are logged once every ten seconds. Everything else is a
 * defect of ours: logged as an error, every time.
 */
export function createErrorReporter(options: ErrorReporterOptions): ErrorReporter {
  const { logger, clock = systemClock } = options
  const errors = options.metrics.counter({
    name: 'background_errors_total',
    help: 'Failures of work outside of a request, by component',
    labels: ['component'],
  })
  const loggedAtMs = new Map<string, number>()

  function isRepeated(key: string): boolean {
    const nowMs = clock.monotonicMs()
    const lastMs = loggedAtMs.get(key)
    if (lastMs !== undefined && nowMs - lastMs < REPEAT_AFTER_MS) return true
    loggedAtMs.set(key, nowMs)
    return false
  }

  function report(component: string, error: unknown, job?: string): void {
    errors.inc({ component })
    const fields = { event: 'background_error', component, job, error }
    if (!isDependencyFailure(error)) return logger.error(fields, 'background error')
    if (isRepeated(`${component} ${job ?? ''} ${codeOf(error)}`)) return
    logger.warn(fields, 'dependency unavailable')
  }

  return {
    report,
    for: (component, job) => (error) => report(component, error, job),
  }
}

const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
const DEPENDENCY_ERRORS: ReadonlySet<string> = new Set([
  'AbortError',
  'TimeoutError',
  'MaxRetriesPerRequestError',
  'ClusterAllFailedError',
])
/** ioredis has no codes for these; errors of a starting or failing-over server begin like this. */
const REDIS_UNAVAILABLE =
  /^(Connection is closed|Command timed out|Socket timeout|Stream isn't writeable|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|OOM|MISCONF|NOREPLICAS|BUSY |TRYAGAIN|Connection ended)/

/** Whether the error says that a dependency is unavailable, rather than that our code is wrong. */
export function isDependencyFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isProblem(error)) return error.status !== 500
  // The message is delivered again; its cause decides.
  if (error.name === 'DeliveryPostponed') {
    return error.cause === undefined || isDependencyFailure(error.cause)
  }
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isDependencyFailure)
  }
  return (
    CONNECTION_CODES.has(codeOf(error)) ||
    DEPENDENCY_ERRORS.has(error.name) ||
    REDIS_UNAVAILABLE.test(error.message)
  )
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
