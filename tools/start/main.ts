import { fileURLToPath } from 'node:url'
import { dataRoot, MachineError } from '@melmastoon/one-machine'
import { createReporter } from './reporter.ts'
import { runProduct } from './run-product.ts'
import { StartError } from './start-error.ts'
import { HELP, parseStartOptions } from './start-options.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const reporter = createReporter(process.stdout, process.env)
const stopping = new AbortController()
/** A terminal sends Ctrl-C to npm and to us, and npm passes it on: one stop answers all of them. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopping.abort(new Error(signal)))
}

process.exit(await main())

async function main(): Promise<number> {
  try {
    const options = parseStartOptions(process.argv.slice(2), process.env)
    if (options.help) reporter.say(HELP)
    else await start(options)
    return 0
  } catch (error) {
    if (stopping.signal.aborted && error === stopping.signal.reason) return 0
    report(error)
    return 1
  }
}

async function start(options: ReturnType<typeof parseStartOptions>): Promise<void> {
  const { env } = process
  await runProduct({
    root,
    dataFolder: dataRoot(),
    options,
    env,
    reporter,
    signal: stopping.signal,
  })
}

/** What a person can act upon is one message; anything else is our mistake and keeps its stack. */
function report(error: unknown): void {
  const expected = error instanceof StartError || error instanceof MachineError
  if (expected) reporter.failure(error.message)
  else reporter.failure(error instanceof Error ? (error.stack ?? error.message) : String(error))
}
