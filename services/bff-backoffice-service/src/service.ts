import { createDatabase } from '@melmastoon/chassis/db'
import { defineService, type OperatorCommand } from '@melmastoon/chassis/service'
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

const runLocks: OperatorCommand = async (words, relayDb, env) => {
  const { appUrl: url, database: tls, instance } = backofficeConfig.readBase(env)
  const onError = (error: unknown) => process.stderr.write(`database: ${String(error)}\n`)
  await using db = createDatabase({ url, tls, poolMax: 1, onError })
  return await runLocksCommand(words, { relayDb, db, registry, instance })
}

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
    locks: runLocks,
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
