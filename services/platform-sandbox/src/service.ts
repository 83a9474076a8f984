import { pruneJobs } from '@melmastoon/chassis/jobs'
import { defineService } from '@melmastoon/chassis/service'
import { platformRegistry } from '@melmastoon/platform-events'
import { sandboxConfig } from './config.ts'
import { createContext } from './context.ts'
import { registerSandboxRoutes } from './http/app.ts'
import { apiDescription } from './http/describe-api.ts'
import { mergeHandlers } from './merge-handlers.ts'
import { iamJobs } from './modules/iam/jobs.ts'
import { paymentJobs } from './modules/payment/jobs.ts'
import { pricingJobs } from './modules/pricing/pricing-jobs.ts'
import { reservationJobs } from './modules/reservation/jobs.ts'
import { searchJobs } from './modules/search/search-jobs.ts'
import { syncJobs } from './modules/sync/jobs.ts'
import { servedModules } from './modules.ts'

export const service = defineService({
  config: sandboxConfig,
  metricsPrefix: 'sandbox',
  /** One numbered block per module: 02xx tenant, 03xx theme and so on. */
  migrations: new URL('./migrations/', import.meta.url),
  idempotencyIsolation: false,
  registry: platformRegistry,
  openapi: apiDescription,
  requiredDependencies: ['postgres'],
  jobs: [
    ...pruneJobs(),
    ...pricingJobs,
    ...reservationJobs,
    ...paymentJobs,
    ...searchJobs,
    ...iamJobs,
    ...syncJobs,
  ],
  pools: { app: 24 },
  /** The platform's services consume each other's events as the product does. */
  subscriptions: {
    /** A handler may read of two other modules in addition to its transaction: 3 connections. */
    maxInFlight: 8,
    handlers: (ctx) =>
      mergeHandlers(servedModules(ctx.modules).flatMap(({ subscriptions = [] }) => subscriptions)),
  },
  createContext,
  routes: registerSandboxRoutes,
  prepare: (ctx) => ctx.scenarios.start(),
  startWorkers: (ctx) =>
    Promise.all(servedModules(ctx.modules).flatMap((module) => module.start?.() ?? [])),
})
