import { renderOpenApi } from '@melmastoon/chassis/http'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { registry } from './events/registry.ts'
import { buildConsumerApp } from './http/app.ts'
import { CONSUMER_SCHEMA, consumerMigrations } from './migrations.ts'

/** Nothing listens on port 1: describing the service must not need, or touch, a running one. */
const NOWHERE = {
  DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
  REDIS_SESSION_URL: 'redis://127.0.0.1:1',
  REDIS_CACHE_URL: 'redis://127.0.0.1:1',
  UPSTREAM_SEARCH_URL: 'http://127.0.0.1:1',
  UPSTREAM_PRICING_URL: 'http://127.0.0.1:1',
  UPSTREAM_THEME_URL: 'http://127.0.0.1:1',
  UPSTREAM_PROPERTY_URL: 'http://127.0.0.1:1',
  UPSTREAM_TENANT_URL: 'http://127.0.0.1:1',
  SERVICE_SECRET: 'never used: no request is ever served',
  HASH_PEPPERS: `p1:active:${Buffer.alloc(32, 'x').toString('base64url')}`,
  IDEMPOTENCY_SECRET: 'never used either: nothing is ever repeated',
  HANDOFF_KEYS: `never-used:active:${Buffer.alloc(32, 'x').toString('base64url')}`,
  LOG_LEVEL: 'silent',
}

/** What the service promises; `npm run contracts` writes it down. */
export const contracts = {
  schema: CONSUMER_SCHEMA,
  migrations: consumerMigrations,
  registry,
  openApi,
}

async function openApi(): Promise<string> {
  await using ctx = createContext(readConfig(NOWHERE))
  const app = await buildConsumerApp(ctx)
  try {
    return await renderOpenApi(app)
  } finally {
    await app.close()
  }
}
