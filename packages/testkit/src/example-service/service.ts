import { pruneJobs } from '@melmastoon/chassis/jobs'
import { defineService } from '@melmastoon/chassis/service'
import { exampleConfig } from './config.ts'
import { createContext } from './context.ts'
import { registry } from './events.ts'
import { registerRoutes } from './http/routes.ts'
import { countNotes } from './notes/notes.ts'

export const service = defineService({
  config: exampleConfig,
  metricsPrefix: 'example',
  migrations: new URL('./migrations/', import.meta.url),
  idempotencyIsolation: true,
  registry,
  openapi: { title: 'Example service', version: '3.0.0' },
  requiredDependencies: ['postgres'],
  jobs: pruneJobs(),
  subscriptions: { handlers: (ctx) => [countNotes(ctx.cache)] },
  createContext,
  routes: registerRoutes,
})
