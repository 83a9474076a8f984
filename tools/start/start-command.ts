import { dataRoot, MachineError } from '@melmastoon/one-machine'
import { startHelp } from '../bootstrap/start-help.mjs'
import { StartError } from './messages.ts'
import { createReporter, type Reporter } from './reporter.ts'
import { type ProductOptions, runProduct } from './run-product.ts'
import { parseStartOptions } from './start-options.ts'

/** Shortened by tests only. */
export type StartLimits = Pick<
  ProductOptions,
  'readyTimeoutMs' | 'servicesStopMs' | 'restartLimits'
>

/** Runs `npm start` for the workspaces below `root` until a signal; returns the exit code. */
export async function startCommand(root: string, limits: StartLimits = {}): Promise<number> {
  const reporter = createReporter(process.stdout, process.env)
  const stopping = stopOnSignal()
  try {
    const { env } = process
    const options = parseStartOptions(process.argv.slice(2), env)
    const product = { root, dataFolder: dataRoot(), options, env, reporter, signal: stopping }
    if (options.help) reporter.say(startHelp(root))
    else await runProduct({ ...product, ...limits })
    return 0
  } catch (error) {
    if (stopping.aborted && error === stopping.reason) return 0
    report(reporter, error)
    return 1
  }
}

/**
 * A terminal sends Ctrl-C to npm and to this process, and npm forwards it: all these signals cause
 * one stop. A terminal that closes also closes the output streams, and a failed write must not end
 * this process while it stops the others.
 */
function stopOnSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stopping.abort(new Error(signal)))
  }
  for (const screen of [process.stdout, process.stderr]) {
    screen.on('error', () => stopping.abort(new Error('the output stream is closed')))
  }
  process.once('disconnect', () => stopping.abort(new Error('the parent process has exited')))
  return stopping.signal
}

/** Errors a user can fix are printed as one message; all others are bugs, printed with a stack. */
function report(reporter: Reporter, error: unknown): void {
  const expected = error instanceof StartError || error instanceof MachineError
  if (expected) reporter.failure(error.message)
  else reporter.failure(error instanceof Error ? (error.stack ?? error.message) : String(error))
}
