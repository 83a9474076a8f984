import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dataRoot } from '@melmastoon/one-machine'
import { runTests } from './run-tests.ts'
import { parseTestOptions, testEnv } from './test-options.ts'

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopping.abort(new Error(signal)))
}

const passed = await runTests({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  options: parseTestOptions(process.argv.slice(2), process.env),
  // Tests and the short benchmark start the services as processes many times.
  env: { NODE_COMPILE_CACHE: join(dataRoot(), 'compile-cache'), ...testEnv(process.env) },
  signal: stopping.signal,
  show: (text) => void process.stdout.write(text),
  colours: process.stdout.isTTY,
})
process.exitCode = passed ? 0 : 1
