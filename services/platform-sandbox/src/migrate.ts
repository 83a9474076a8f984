import { ensureRoles, migrate } from '@melmastoon/chassis/db'
import { readBaseConfig } from './config.ts'
import { SANDBOX_SCHEMA, sandboxMigrations } from './migrations.ts'

const { databaseUrl } = readBaseConfig(process.env)
await ensureRoles(databaseUrl, SANDBOX_SCHEMA)
await migrate({
  url: databaseUrl,
  schema: SANDBOX_SCHEMA,
  migrations: await sandboxMigrations(),
})
