export { jobHost } from './build-apps.ts'
export {
  serviceCache,
  serviceFlags,
  serviceIdempotency,
  serviceLimiter,
  serviceSessions,
  serviceTelemetry,
  serviceTenantFlags,
  serviceUpstream,
} from './building-blocks.ts'
export type { ServiceBase } from './create-base.ts'
export { buildContext, createService, type Service } from './create-service.ts'
export { runServiceCommand, runServiceProgram } from './run-service-program.ts'
export {
  type ServiceContracts,
  type ServiceMigrationOptions,
  serviceContracts,
  serviceMigrations,
} from './service-contracts.ts'
export {
  type Dependency,
  defineService,
  type OperatorCommand,
  type ServiceDefinition,
  type ServiceOverrides,
  type Subscriptions,
  type Worker,
} from './service-definition.ts'
export type { StartedService } from './start-parts.ts'
