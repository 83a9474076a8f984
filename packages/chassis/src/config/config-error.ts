/** EX_CONFIG of sysexits.h: a supervisor can distinguish an invalid configuration from a crash. */
export const CONFIG_EXIT_CODE = 78

export interface ConfigProblem {
  variable: string
  problem: string
}

/** All problems of the environment together. Messages name variables, never their values. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[]
  readonly exitCode = CONFIG_EXIT_CODE

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ variable, problem }) => `  ${variable}: ${problem}`)
    super(`invalid configuration\n${lines.join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}
