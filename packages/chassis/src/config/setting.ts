export type Env = Readonly<Record<string, string | undefined>>

/** Reads the environment for a setting and gathers what is wrong instead of throwing. */
export interface EnvReader {
  get(variable: string): string | undefined
  problem(variable: string, problem: string): void
}

export interface Setting<T> {
  read(env: EnvReader): T
}

export interface SettingGroup {
  readonly [name: string]: Setting<unknown> | SettingGroup
}

export type Settings<G> = {
  readonly [K in keyof G]: G[K] extends Setting<infer T> ? T : Settings<G[K]>
}

/**
 * One variable. The placeholder returned after a problem never reaches anybody, because
 * `loadConfig` throws when a problem was reported.
 */
export function setting<T>(
  variable: string,
  fallback: { default?: T | undefined; optional?: boolean | undefined },
  parse: (raw: string, refuse: (problem: string) => T) => T,
): Setting<T> {
  return {
    read(env) {
      const refuse = (problem: string) => {
        env.problem(variable, problem)
        return undefined as T
      }
      const raw = env.get(variable)
      if (raw !== undefined) return parse(raw, refuse)
      if (fallback.default !== undefined) return fallback.default
      return fallback.optional ? (undefined as T) : refuse('is required')
    },
  }
}
