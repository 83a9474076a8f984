import { renderOpenApi } from '@melmastoon/chassis/http'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { registry } from './events.ts'
import { buildExampleApp } from './http/app.ts'
import { EXAMPLE_SCHEMA, exampleMigrations } from './migrations.ts'

/** Nothing listens on port 1: describing the service must not need, or touch, a running one. */
const NOWHERE = {
  DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
  REDIS_SESSION_URL: 'redis://127.0.0.1:1',
  REDIS_CACHE_URL: 'redis://127.0.0.1:1',
  EXAMPLE_UPSTREAM_URL: 'http://127.0.0.1:1',
  IDEMPOTENCY_SECRET: 'never used: no request is ever served',
  LOG_LEVEL: 'silent',
}

/** What the service promises; `npm run contracts` writes it down. */
export const contracts = {
  schema: EXAMPLE_SCHEMA,
  migrations: exampleMigrations,
  registry,
  openApi,
}

async function openApi(): Promise<string> {
  await using ctx = createContext(readConfig(NOWHERE))
  const app = await buildExampleApp(ctx)
  try {
    return await renderOpenApi(app)
  } finally {
    await app.close()
  }
}
