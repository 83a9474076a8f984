import { pruneJob, pruneJobs } from '@melmastoon/chassis/jobs'
import { defineService } from '@melmastoon/chassis/service'
import { pruneScores } from './bots/score-log-sql.ts'
import { consumerConfig } from './config.ts'
import { createContext } from './context.ts'
import { registry } from './events/registry.ts'
import { CONSUMER_FLAGS } from './flags.ts'
import { pruneHandoffs } from './handoff/handoff-sql.ts'
import { registerConsumerRoutes } from './http/app.ts'
import { apiDescription } from './http/describe-api.ts'
import { consumeHandoffRoute } from './http/routes/consume-handoff.ts'
import { subscriptions } from './subscriptions.ts'
import { pruneWishlists } from './wishlist/wishlist-sql.ts'

export const service = defineService({
  config: consumerConfig,
  metricsPrefix: 'bff_consumer',
  migrations: new URL('./migrations/', import.meta.url),
  /** No table belongs to a tenant here, so no row is isolated by tenant. */
  idempotencyIsolation: false,
  registry,
  openapi: apiDescription,
  /** Cached pages can be served without any of them. */
  requiredDependencies: [],
  flags: CONSUMER_FLAGS,
  jobs: [
    ...pruneJobs(),
    pruneJob({ name: 'wishlist-retention', cron: '47 2 * * *', statement: pruneWishlists }),
    pruneJob({ name: 'handoff-prune', cron: '37 * * * *', statement: pruneHandoffs }),
    pruneJob({ name: 'bot-score-prune', cron: '57 * * * *', statement: pruneScores }),
  ],
  subscriptions,
  createContext,
  routes: registerConsumerRoutes,
  internalRoutes: consumeHandoffRoute,
  /**
   * Neither is required: cached pages can be served without upstreams. Suspensions are loaded first
   * because a page built before them would show a suspended tenant to all guests.
   */
  prepare: (ctx) =>
    Promise.all([
      ctx.upstreams.ready().catch(ctx.errors.for('upstream-auth')),
      ctx.blocked.refresh(),
    ]),
})
