import { ensureRoles, migrate } from '@melmastoon/chassis/db'
import { readBaseConfig } from './config.ts'
import { EXAMPLE_SCHEMA, exampleMigrations } from './migrations.ts'

const { databaseUrl } = readBaseConfig(process.env)
await ensureRoles(databaseUrl, EXAMPLE_SCHEMA)
await migrate({
  url: databaseUrl,
  schema: EXAMPLE_SCHEMA,
  migrations: await exampleMigrations(),
})
