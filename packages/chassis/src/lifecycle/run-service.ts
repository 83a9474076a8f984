import { createLogger, type Logger } from '../telemetry/index.ts'
import { runStopPhases, type StopPhase } from './stop-phases.ts'

export interface RunningService {
  /** In order: stop accepting, finish requests in flight, flush, close pools. */
  stopPhases: readonly StopPhase[]
  /** For all phases together, once the configuration is known; the platform allows ten seconds. */
  shutdownMs?: number
  logger?: Logger
}

export interface RunServiceOptions {
  name: string
  start(): Promise<RunningService>
}

const SHUTDOWN_MS = 8500
const EXIT_FAILED = 1

/**
 * Owns the process: the only code that listens to signals and calls exit. The first SIGTERM or
 * SIGINT stops in phases, the second exits immediately. An uncaught error causes one log line and
 * exit 1, because the state of the process is unknown from then on.
 */
export async function runService(options: RunServiceOptions): Promise<void> {
  // Before the configuration is read, and for uncaught errors, the default level applies.
  const logger = createLogger({ service: options.name })
  exitOnUncaught(logger)
  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<NodeJS.Signals>()
  listenForSignals(requestStop, logger)
  try {
    const service = await options.start()
    exit(await stopWhenRequested(service, stopRequested, service.logger ?? logger), logger)
  } catch (error) {
    reportStartFailure(error, logger)
  }
}

/** Resolves to the exit code: 0 only when every phase finished. */
async function stopWhenRequested(
  { stopPhases, shutdownMs: totalMs = SHUTDOWN_MS }: RunningService,
  stopRequested: Promise<NodeJS.Signals>,
  logger: Logger,
): Promise<number> {
  logger.info({ event: 'started', pid: process.pid }, 'service started')
  const signal = await stopRequested
  logger.info({ event: 'stopping', signal }, 'service stopping')
  const results = await runStopPhases(stopPhases, { totalMs, logger })
  const clean = results.every(({ outcome }) => outcome === 'done')
  logger.info({ event: 'stopped', outcome: clean ? 'clean' : 'cut_short' }, 'service stopped')
  logger.flush()
  return clean ? 0 : EXIT_FAILED
}

function listenForSignals(requestStop: (signal: NodeJS.Signals) => void, logger: Logger): void {
  let requested = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (requested) {
      logger.warn({ event: 'forced', signal }, 'second signal, stopping immediately')
      exit(EXIT_FAILED, logger)
    }
    requested = true
    requestStop(signal)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

function exitOnUncaught(logger: Logger): void {
  const onUncaught = (event: string) => (error: unknown) => {
    logger.fatal({ event, error }, 'uncaught error')
    exit(EXIT_FAILED, logger)
  }
  process.on('uncaughtException', onUncaught('uncaughtException'))
  process.on('unhandledRejection', onUncaught('unhandledRejection'))
}

/** An error that has an exit code, such as an invalid configuration (78), is printed verbatim. */
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
