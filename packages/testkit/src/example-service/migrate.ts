import { ensureRoles, migrate } from '@melmastoon/chassis/db'
import { readConfig } from './config.ts'
import { EXAMPLE_SCHEMA, exampleMigrations } from './migrations.ts'

const { databaseUrl } = readConfig(process.env)
await ensureRoles(databaseUrl, EXAMPLE_SCHEMA)
await migrate({
  url: databaseUrl,
  schema: EXAMPLE_SCHEMA,
  migrations: await exampleMigrations(),
})
