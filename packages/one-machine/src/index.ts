export { dataRoot } from './config/environment.ts'
export { freePort, isPortFree } from './free-port.ts'
export { killServers } from './kill-servers.ts'
export { MachineError, type MachineErrorCode } from './machine-error.ts'
export {
  type PostgresInstance,
  type PostgresOptions,
  startPostgres,
} from './postgres/start-postgres.ts'
export {
  identifyProcess,
  isAlive,
  isRunning,
  type ProcessIdentity,
  parseIdentity,
} from './process-identity.ts'
export { type RedisInstance, type RedisOptions, startRedis } from './redis/start-redis.ts'
export { removeDeadRuns, removeFolder } from './remove-dead-runs.ts'
export { type CommandOptions, type CommandResult, runCommand } from './run-command.ts'
export type { Instance } from './server-instance.ts'
export { type ProgramOptions, startProgram } from './start-program.ts'
export { findInstalledTool, findTool, type Tool, type ToolOptions } from './tools/find-tool.ts'
