export {
  type Announcements,
  type AnnouncementsOptions,
  createAnnouncements,
} from './announcements.ts'
export {
  type CallOptions,
  createDatabase,
  type Database,
  type DatabaseOptions,
  type PoolState,
} from './database.ts'
export { type DatabaseTlsSettings, databaseEndpoint } from './database-tls.ts'
export { type EnsureRolesOptions, ensureRoles, type RoleLimits } from './ensure-roles.ts'
export { type MigrateOptions, migrate, rollback } from './migrate.ts'
export {
  fillPlaceholders,
  isDevelopmentData,
  type Migration,
  readMigrations,
  type SharedMigrationOptions,
  sharedMigrations,
} from './migrations.ts'
export {
  type OperatorConfig,
  openRelayDatabase,
  type RelayDatabase,
} from './open-relay-database.ts'
export { fromPgError, isUniqueViolation, PgFailure, sqlStateOf } from './pg-errors.ts'
export { additionalRole, assertSchemaName, type RoleNames, roleNames } from './roles.ts'
export { identifier, joinSql, ping, rawSql, SqlFragment, sql } from './sql.ts'
export type { Queryable, Statement, Transactor, Tx } from './statement.ts'
