import { readArguments, USAGE } from './read-arguments.ts'
import { type ConformanceOptions, runConformance } from './run-conformance.ts'

/** 0: all promises kept. 1: some are not. 64: not asked properly (sysexits). */
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
    onResult: ({ name, isKept, seen }) =>
      process.stdout.write(isKept ? `ok    ${name}\n` : `FAIL  ${name}: ${seen}\n`),
  })
  const broken = results.filter(({ isKept }) => !isKept).length
  process.stdout.write(`${results.length - broken} of ${results.length} promises kept\n`)
  return broken === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
