import { pruneJobs } from '@melmastoon/chassis/jobs'
import { defineService } from '@melmastoon/chassis/service'
import { exampleConfig } from './config.ts'
import { createContext } from './context.ts'
import { registry } from './events.ts'
import { registerExampleRoutes } from './http/app.ts'
import { countNotes } from './notes/count-notes.ts'

export const service = defineService({
  config: exampleConfig,
  metricsPrefix: 'example',
  migrations: new URL('./migrations/', import.meta.url),
  idempotencyIsolation: true,
  registry,
  openapi: { title: 'Example service', version: '2.0.0' },
  requiredDependencies: ['postgres'],
  jobs: pruneJobs(),
  pools: { app: 12 },
  subscriptions: { handlers: (ctx) => [countNotes(ctx.cache)] },
  createContext,
  routes: registerExampleRoutes,
})
