export interface TestOptions {
  /** The long forms, or what was asked for by name: without the checks and the bench. */
  testsOnly: boolean
  vitestArguments: string[]
}

/** `--faults` is ours; everything else is for vitest and asks for a quick answer. */
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
