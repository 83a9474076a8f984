import { defineService } from '@melmastoon/chassis/service'
import { keepActivityPartitions } from './activity/partition-keeper.ts'
import { backofficeConfig, lakeFolder } from './config.ts'
import { createContext } from './context.ts'
import { registry } from './events/registry.ts'
import { registerBackofficeRoutes } from './http/app.ts'
import { apiDescription } from './http/describe-api.ts'
import { backofficeJobs } from './jobs.ts'
import { createLakeCommand } from './lake/lake-command.ts'
import { runLocksCommand } from './locks/locks-command.ts'
import { startLockReconciler } from './locks/reconciler.ts'
import { subscriptions } from './subscriptions.ts'

const runLakeCommand = createLakeCommand(lakeFolder)

export const service = defineService({
  config: backofficeConfig,
  metricsPrefix: 'bff_backoffice',
  migrations: new URL('./migrations/', import.meta.url),
  idempotencyIsolation: true,
  pools: { app: 12 },
  registry,
  openapi: apiDescription,
  /** Without the replay store every change is rejected (D22), so the instance is not ready. */
  requiredDependencies: ['postgres', 'redis-session'],
  jobs: backofficeJobs(),
  subscriptions,
  startWorkers: async (ctx) => [startLockReconciler(ctx)],
  commands: {
    lake: (words, _db, env) => runLakeCommand(words, env),
    locks: (words, db) => runLocksCommand(words, db),
  },
  createContext,
  routes: registerBackofficeRoutes,
  prepare: (ctx) =>
    Promise.all([
      ctx.upstreams.ready().catch(ctx.errors.for('upstream-auth')),
      keepActivityPartitions(ctx.relayDb).catch(ctx.errors.for('partition-keeper')),
      ctx.access.prepare(),
    ]),
})
