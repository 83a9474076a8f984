export interface TestOptions {
  faults: boolean
  vitestArguments: string[]
}

/** `--faults` is ours; everything else is for vitest. */
export function parseTestOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): TestOptions {
  const rest = argv.filter((argument) => argument !== '--faults')
  const faults = rest.length < argv.length || env['npm_config_faults'] === 'true'
  const projects = faults ? ['faults'] : ['unit', 'integration']
  const chosen = rest.some((argument) => argument.startsWith('--project'))
  const named = chosen ? [] : projects.map((name) => `--project=${name}`)
  return { faults, vitestArguments: [...named, ...rest] }
}
