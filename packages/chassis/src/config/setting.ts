export type Env = Readonly<Record<string, string | undefined>>

/** Reads the environment for a setting and collects problems instead of throwing. */
export interface EnvReader {
  get(variable: string): string | undefined
  problem(variable: string, problem: string): void
  /** Nothing is read: each setting returns a placeholder that reaches no running server. */
  readonly placeholders: boolean
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

export interface Fallback<T> {
  readonly default?: T | undefined
  readonly optional?: boolean | undefined
  /** The raw value when a service is only described, as `npm run contracts` does. */
  readonly placeholder?: string | undefined
}

/**
 * One variable. The value returned after a problem is never used, because `loadConfig` throws when
 * a problem was reported.
 */
export function setting<T>(
  variable: string,
  fallback: Fallback<T>,
  parse: (raw: string, reject: (problem: string) => T) => T,
): Setting<T> {
  return {
    read(env) {
      const reject = (problem: string) => {
        env.problem(variable, problem)
        return undefined as T
      }
      const raw = env.placeholders ? fallback.placeholder : env.get(variable)
      if (raw !== undefined) return parse(raw, reject)
      if (fallback.default !== undefined) return fallback.default
      return fallback.optional ? (undefined as T) : reject('is required')
    },
  }
}
