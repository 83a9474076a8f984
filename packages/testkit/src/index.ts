export { type BroadcastProxy, startBroadcastProxy } from './broadcast-proxy.ts'
export { type Browser, type BrowserOptions, createBrowser } from './browser.ts'
export { Canaries } from './canaries.ts'
export { type AsyncMethod, type Chaos, ChaosError, type ChaosRules, chaos } from './chaos.ts'
export { closedCheck } from './closed-schema.ts'
export {
  expectSameLimits,
  expectSameWideLimits,
  type LimitedPaths,
  withoutTimes,
} from './compare-limits.ts'
export { expectContractsUnchanged, expectNothingBroken } from './contracts/expect-contracts.ts'
export { expectClosedEvents, expectValidEvents } from './contracts/expect-valid-events.ts'
export { testContracts } from './contracts/test-contracts.ts'
export {
  type CountingProxy,
  countPostgresRoundTrips,
  countRedisCommands,
} from './counting-proxy.ts'
export { type EventuallyOptions, eventually } from './eventually.ts'
export { comparable, cookieSetBy, type Exchanged, exchange, type Sent } from './exchange.ts'
export { freezeServer } from './freeze-server.ts'
export { type TestInfra, testInfra } from './infra.ts'
export {
  type JoinedServices,
  joinServices,
  type Observed,
  spawnObserved,
} from './joined-services.ts'
export { type Barrier, barrier, type Latch, latch } from './latch.ts'
export {
  type ExampleRequest,
  ExampleRequests,
  type ExampleSubstitutes,
  idsIn,
} from './openapi/example-requests.ts'
export {
  type DocumentedBody,
  type DocumentedOperation,
  readOperations,
} from './openapi/read-operations.ts'
export { type RouteOperation, readRoutes, type ServiceRoutes } from './openapi/read-routes.ts'
export { testDescriptions } from './openapi/test-descriptions.ts'
export { testOpenApi } from './openapi/test-openapi.ts'
export type { OptionalServer, Unavailable } from './optional-server.ts'
export { type PgBouncer, type PgBouncerOptions, startPgBouncer } from './pg-bouncer.ts'
export type { ProxyMode } from './proxy-pump.ts'
export { type PubSubEmulator, startPubSubEmulator } from './pubsub-emulator.ts'
export {
  type DocumentedKey,
  documentedKeys,
  type FoundKey,
  keysInRedis,
  missingKeys,
  undocumentedKeys,
} from './redis-keys.ts'
export { type SeededServiceOptions, startSeededService } from './seeded-service.ts'
export { type SendOptions, send, type TestResponse } from './send.ts'
export { fixedKeys, upstreamEnv } from './service-env.ts'
export {
  type ProcessExit,
  type SpawnedProcess,
  type SpawnOptions,
  spawnProcess,
} from './spawn-process.ts'
export { type ServiceProcess, spawnService } from './spawn-service.ts'
export { textsOfPostgres, textsOfRedis } from './stored-texts.ts'
export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
export { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'
export { createTestClock, type TestClock } from './test-clock.ts'
export {
  type MigratedDatabase,
  type PreparedDatabase,
  type TestDatabase,
  type TestDatabaseOptions,
  testDatabase,
} from './test-database.ts'
export {
  type DedicatedEnvironment,
  dedicatedEnvironment,
  type TestEnvironment,
  testEnvironment,
} from './test-environment.ts'
export { type TestRedis, testRedis } from './test-redis.ts'
export { startService, type TestService, testService } from './test-service.ts'
export { startTraceCollector, type TraceCollector } from './trace-collector.ts'
export { compareTwoPaths, type PathCase, type TwoPaths } from './two-paths.ts'
export {
  startUpstreamFaults,
  type UpstreamFault,
  type UpstreamFaults,
} from './upstream-faults.ts'
export { startWatchedService } from './watched-service.ts'
