import { ensureRoles, migrate } from '@melmastoon/chassis/db'
import { readBaseConfig } from './config.ts'
import { CONSUMER_SCHEMA, consumerMigrations } from './migrations.ts'

const { databaseUrl } = readBaseConfig(process.env)
await ensureRoles(databaseUrl, CONSUMER_SCHEMA)
await migrate({
  url: databaseUrl,
  schema: CONSUMER_SCHEMA,
  migrations: await consumerMigrations(),
})
