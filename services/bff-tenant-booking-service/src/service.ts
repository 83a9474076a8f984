import { defineService } from '@melmastoon/chassis/service'
import { bookingConfig } from './config.ts'
import { createContext } from './context.ts'
import { registry } from './events/registry.ts'
import { BOOKING_FLAGS } from './flags.ts'
import { startPoller } from './fulfilment/poll-fulfilments.ts'
import { registerBookingRoutes } from './http/app.ts'
import { apiDescription } from './http/describe-api.ts'
import { bookingJobs } from './jobs.ts'
import { bookingPruneJobs } from './pruning/prune-jobs.ts'
import { subscriptions } from './subscriptions.ts'
import { runBookingsCommand } from './timeline/bookings-command.ts'

export const service = defineService({
  config: bookingConfig,
  metricsPrefix: 'bff_tenant_booking',
  migrations: new URL('./migrations/', import.meta.url),
  idempotencyIsolation: true,
  pools: { app: 20 },
  registry,
  openapi: apiDescription,
  /** Bookings are rows in Postgres; without Redis guests can still pay and confirm (D25). */
  requiredDependencies: ['postgres'],
  jobs: [...bookingPruneJobs(), ...bookingJobs()],
  startWorkers: async (ctx) => [startPoller(ctx, ctx.pollerOptions)],
  subscriptions,
  flags: [BOOKING_FLAGS],
  commands: { bookings: (words, db) => runBookingsCommand(words, db) },
  createContext,
  routes: registerBookingRoutes,
  /** Suspensions are loaded first: no request may reach the site of a suspended tenant. */
  prepare: (ctx) =>
    Promise.all([
      ctx.upstreams.ready().catch(ctx.errors.for('upstream-auth')),
      ctx.blocked.refresh(),
    ]),
})
