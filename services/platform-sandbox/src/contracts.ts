import { renderOpenApi } from '@melmastoon/chassis/http'
import { platformRegistry } from '@melmastoon/platform-events'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { buildSandboxApp } from './http/app.ts'
import { SANDBOX_SCHEMA, sandboxMigrations } from './migrations.ts'

const NEVER_USED = 'never used: no request is ever served'

/** Nothing listens on port 1: describing the service must not need, or touch, a running one. */
const NOWHERE = {
  DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
  REDIS_SESSION_URL: 'redis://127.0.0.1:1',
  REDIS_CACHE_URL: 'redis://127.0.0.1:1',
  IDEMPOTENCY_SECRET: NEVER_USED,
  SERVICE_SECRET: NEVER_USED,
  WEBHOOK_SECRET: NEVER_USED,
  LOG_LEVEL: 'silent',
}

/** What the service promises; `npm run contracts` writes it down. */
export const contracts = {
  schema: SANDBOX_SCHEMA,
  migrations: sandboxMigrations,
  registry: platformRegistry,
  openApi,
}

async function openApi(): Promise<string> {
  await using ctx = createContext(readConfig(NOWHERE))
  const app = await buildSandboxApp(ctx)
  try {
    return await renderOpenApi(app)
  } finally {
    await app.close()
  }
}
