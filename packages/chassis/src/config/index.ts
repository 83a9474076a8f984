export {
  type BaseConfig,
  type BaseConfigOptions,
  baseConfig,
  baseSettings,
  envRoleUrl,
} from './base-config.ts'
export { CONFIG_EXIT_CODE, ConfigError, type ConfigProblem } from './config-error.ts'
export {
  type ConfigDefinition,
  type ConfigOf,
  defineConfig,
  type ServerConfig,
  type ServiceConfig,
} from './define-config.ts'
export {
  envBool,
  envChoice,
  envDuration,
  envFile,
  envInt,
  envKeyRing,
  envList,
  envRatio,
  envSecret,
  envString,
  envUrl,
  readEnv,
} from './env.ts'
export { loadConfig, type ReportProblem } from './load-config.ts'
export { Secret } from './secret.ts'
export type { Env, EnvReader, Setting, SettingGroup, Settings } from './setting.ts'
