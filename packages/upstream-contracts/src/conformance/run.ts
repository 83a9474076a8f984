import { readArguments, USAGE } from './read-arguments.ts'
import { type ConformanceOptions, runConformance } from './run-conformance.ts'

/** 0: all checks passed. 1: some failed. 64: invalid arguments (sysexits). */
async function main(argv: readonly string[]): Promise<number> {
  let options: ConformanceOptions
  try {
    options = await readArguments(argv)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`)
    return 64
  }
  const results = await runConformance({
    ...options,
    onResult: ({ name, passed, observed }) =>
      process.stdout.write(passed ? `ok    ${name}\n` : `FAIL  ${name}: ${observed}\n`),
  })
  const broken = results.filter(({ passed }) => !passed).length
  process.stdout.write(`${results.length - broken} of ${results.length} checks passed\n`)
  return broken === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
