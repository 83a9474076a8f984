export interface TestOptions {
  /** The long forms or selected tests: without the checks and the benchmark. */
  testsOnly: boolean
  vitestArguments: string[]
}

/** `--faults` is an option of this program; all other arguments are passed to vitest. */
export function parseTestOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): TestOptions {
  const rest = argv.filter((argument) => argument !== '--faults')
  const faults = rest.length < argv.length || env['npm_config_faults'] === 'true'
  const projects = faults ? ['faults'] : ['unit', 'integration']
  const chosen = rest.some((argument) => argument.startsWith('--project'))
  const named = chosen ? [] : projects.map((name) => `--project=${name}`)
  return { testsOnly: faults || rest.length > 0, vitestArguments: [...named, ...rest] }
}
