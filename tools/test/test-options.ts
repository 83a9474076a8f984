const SERVERS = ['DATABASE_URL', 'REDIS_SESSION_URL', 'REDIS_CACHE_URL', 'EVENT_TRANSPORT']

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

/** Tests start their own servers and do not see those of the caller. */
export function testEnv(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const passedOn = Object.entries(env).filter(
    ([name]) => !SERVERS.includes(name) && !/^MELMASTOON_.*_PORT$/.test(name),
  )
  return Object.fromEntries(passedOn)
}
