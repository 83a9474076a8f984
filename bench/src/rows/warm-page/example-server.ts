import { createCache } from '@melmastoon/chassis/cache'
import {
  type ContextOverrides,
  createExampleService,
  type ExampleContext,
  readConfig,
} from '@melmastoon/testkit/example-service'
import { answerCommands } from '../../harness/answer-commands.ts'

/** One session must not meet its limit, but every request passes through the limiter. */
const READ_POLICY = { name: 'read', limit: 100_000_000, periodSeconds: 1 }
const PAGE_TTL_MS = 600_000

async function start({ withoutL1 }: { withoutL1: boolean }) {
  const overrides: ContextOverrides = { readPolicy: READ_POLICY, pageSoftTtlMs: PAGE_TTL_MS }
  const service = await createExampleService(readConfig(process.env), overrides)
  if (withoutL1) service.ctx.pages = pagesWithoutL1(service.ctx)
  const { url } = await service.start()
  return url
}

/** The same pages in Redis, but with no room for them in this process. */
function pagesWithoutL1(ctx: ExampleContext): ExampleContext['pages'] {
  const cache = createCache({ redis: ctx.cacheRedis, versions: ctx.sessionRedis, l1MaxBytes: 1 })
  return cache.define({
    name: 'page',
    dimensions: ['locale', 'currency'],
    softTtlMs: PAGE_TTL_MS,
    staleWhileRevalidateMs: 30_000,
    staleIfErrorMs: 600_000,
    loadTimeoutMs: 2_000,
  })
}

answerCommands({ start })
