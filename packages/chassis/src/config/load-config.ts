import { inspect } from 'node:util'
import { ConfigError, type ConfigProblem } from './config-error.ts'
import { readEnv } from './env.ts'
import { Secret } from './secret.ts'
import type { Env, EnvReader, Setting, SettingGroup, Settings } from './setting.ts'

export type ReportProblem = (variable: string, problem: string) => void

/**
 * Reads every setting of the group, then either returns all of them or throws one `ConfigError`
 * with all problems. `check` compares settings with each other; it runs only when each is valid.
 */
export function loadConfig<const G extends SettingGroup>(
  env: Env,
  group: G,
  check?: (config: Settings<G>, problem: ReportProblem) => void,
): Settings<G> {
  const known = readEnv(env)
  const problems: ConfigProblem[] = []
  const report: ReportProblem = (variable, problem) => problems.push({ variable, problem })
  const get = (variable: string) => known[variable]
  const reader: EnvReader = { get, problem: report, placeholders: false }
  const config = readGroup(group, reader) as Settings<G>
  if (problems.length === 0) check?.(config, report)
  if (problems.length > 0) throw new ConfigError(problems)
  return redactWhenPrinted(config)
}

/** A placeholder for every setting: sufficient to build a service that is never started. */
export function placeholderConfig<const G extends SettingGroup>(group: G): Settings<G> {
  const problems: ConfigProblem[] = []
  const config = readGroup(group, {
    get: () => undefined,
    problem: (variable, problem) => problems.push({ variable, problem }),
    placeholders: true,
  }) as Settings<G>
  if (problems.length > 0) throw new ConfigError(problems)
  return redactWhenPrinted(config)
}

function readGroup(group: SettingGroup, reader: EnvReader): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(group)) {
    values[name] = isSetting(entry) ? entry.read(reader) : readGroup(entry, reader)
  }
  return values
}

function isSetting(entry: Setting<unknown> | SettingGroup): entry is Setting<unknown> {
  return typeof entry['read'] === 'function'
}

/** Connection URLs may hold a password: printing the whole configuration hides it. */
function redactWhenPrinted<T extends object>(config: T): T {
  const printable = () => hideCredentials(config)
  Object.defineProperty(config, 'toJSON', { value: printable })
  Object.defineProperty(config, inspect.custom, { value: printable })
  return Object.freeze(config)
}

function hideCredentials(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\/\/[^/?#\s]*@/g, '//[redacted]@')
  if (Array.isArray(value)) return value.map(hideCredentials)
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Secret) return value.toString()
  const entries = Object.entries(value).map(([name, inner]) => [name, hideCredentials(inner)])
  return Object.fromEntries(entries)
}
