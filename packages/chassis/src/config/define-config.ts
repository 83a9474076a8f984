import {
  type BaseConfig,
  type BaseConfigOptions,
  baseConfig,
  baseSettings,
  serverSettings,
} from './base-config.ts'
import { loadConfig, placeholderConfig, type ReportProblem } from './load-config.ts'
import type { Env, SettingGroup, Settings } from './setting.ts'

type ServerSettings = ReturnType<typeof baseSettings> & ReturnType<typeof serverSettings>

/** The configuration of every service that serves requests. */
export type ServerConfig = Settings<ServerSettings>

export interface ConfigDefinition<G extends SettingGroup> extends BaseConfigOptions {
  /** The service's own settings; a name of a shared setting replaces that one. */
  readonly settings: G
  /** Compares settings with each other; runs only when each of them is valid. */
  check?(config: ServerConfig & Settings<G>, problem: ReportProblem): void
}

export interface ServiceConfig<C extends ServerConfig = ServerConfig> extends BaseConfigOptions {
  read(env: Env): C
  /** For programs that serve no requests: migrations, jobs and the outbox command. */
  readBase(env: Env): BaseConfig
  /** For describing the service without any server. */
  placeholder(): C
}

/** The configuration of a service: the shared settings and its own, read and reported together. */
export function defineConfig<const G extends SettingGroup>(
  definition: ConfigDefinition<G>,
): ServiceConfig<ServerConfig & Settings<G>> {
  const { service, schema, defaultPort } = definition
  const identity = { service, schema, defaultPort }
  const group = mergeSettings(baseSettings(identity), serverSettings(), definition.settings)
  return {
    ...identity,
    read: (env) =>
      loadConfig(env, group, (config, problem) => {
        checkShared(config, problem)
        definition.check?.(config, problem)
      }),
    readBase: (env) => baseConfig(env, identity),
    placeholder: () => placeholderConfig(group),
  }
}

/** Without a proxy that overwrites it, any client could choose the tenant by the header (D24). */
function checkShared(config: ServerConfig, problem: ReportProblem): void {
  const { trustedHostHeader, trustProxyHops } = config
  if (trustedHostHeader.toLowerCase() === 'host' || trustProxyHops > 0) return
  problem('TRUSTED_HOST_HEADER', 'needs TRUST_PROXY_HOPS above 0')
}

/** Later settings replace earlier ones; secrets of all are merged. */
function mergeSettings<const G extends SettingGroup>(
  base: ReturnType<typeof baseSettings>,
  server: ReturnType<typeof serverSettings>,
  own: G,
) {
  const secrets = { ...base.secrets, ...server.secrets, ...own['secrets'] }
  return { ...base, ...server, ...own, secrets } as SettingGroup as ServerSettings & G
}

export type ConfigOf<S> = S extends ServiceConfig<infer C> ? C : never
