export { type EventuallyOptions, eventually } from './eventually.ts'
export { type TestInfra, testInfra } from './infra.ts'
export { type Barrier, barrier, type Latch, latch } from './latch.ts'
export {
  type ProcessExit,
  type SpawnedProcess,
  type SpawnOptions,
  spawnProcess,
} from './spawn-process.ts'
export { createTestClock, type TestClock } from './test-clock.ts'
export {
  type MigratedDatabase,
  type PreparedDatabase,
  type TestDatabase,
  type TestDatabaseOptions,
  testDatabase,
} from './test-database.ts'
export { type TestRedis, testRedis } from './test-redis.ts'
