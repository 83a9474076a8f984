import { createLogger, type Logger } from '../telemetry/index.ts'
import { runStopPhases, type StopPhase } from './stop-phases.ts'

export interface RunningService {
  /** In order: stop accepting, finish what is in flight, flush, close pools. */
  stopPhases: readonly StopPhase[]
}

export interface RunServiceOptions {
  name: string
  start(): Promise<RunningService>
  logger?: Logger
  /** For all phases together; the platform allows ten seconds. */
  shutdownMs?: number
}

const SHUTDOWN_MS = 8500
const EXIT_FAILED = 1

/**
 * Owns the process: the only code that listens to signals and calls exit. The first SIGTERM or
 * SIGINT stops in phases, the second ends at once. A failure nobody caught is one log line and
 * exit 1, because the state of the process is unknown from then on.
 */
export async function runService(options: RunServiceOptions): Promise<void> {
  const { name, shutdownMs = SHUTDOWN_MS } = options
  const logger = options.logger ?? createLogger({ service: name })
  exitOnUncaught(logger)
  const { promise: stopAsked, resolve: askToStop } = Promise.withResolvers<NodeJS.Signals>()
  listenForSignals(askToStop, logger)
  try {
    const service = await options.start()
    logger.info({ event: 'started', pid: process.pid }, 'service started')
    const signal = await stopAsked
    logger.info({ event: 'stopping', signal }, 'service stopping')
    const results = await runStopPhases(service.stopPhases, { totalMs: shutdownMs, logger })
    const clean = results.every(({ outcome }) => outcome === 'done')
    logger.info({ event: 'stopped', outcome: clean ? 'clean' : 'cut_short' }, 'service stopped')
    exit(clean ? 0 : EXIT_FAILED, logger)
  } catch (error) {
    reportStartFailure(error, logger)
  }
}

function listenForSignals(askToStop: (signal: NodeJS.Signals) => void, logger: Logger): void {
  let asked = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (asked) {
      logger.warn({ event: 'forced', signal }, 'second signal, stopping at once')
      exit(EXIT_FAILED, logger)
    }
    asked = true
    askToStop(signal)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

function exitOnUncaught(logger: Logger): void {
  const onUncaught = (event: string) => (error: unknown) => {
    logger.fatal({ event, error }, 'uncaught failure')
    exit(EXIT_FAILED, logger)
  }
  process.on('uncaughtException', onUncaught('uncaughtException'))
  process.on('unhandledRejection', onUncaught('unhandledRejection'))
}

/** An error that brings its own exit code, such as a bad configuration (78), speaks for itself. */
function reportStartFailure(error: unknown, logger: Logger): void {
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number') {
    process.stderr.write(`${error.message}\n`)
    exit(error.exitCode, logger)
  }
  logger.fatal({ event: 'start_failed', error }, 'service could not start')
  exit(EXIT_FAILED, logger)
}

function exit(code: number, logger: Logger): never {
  logger.flush()
  process.exit(code)
}
