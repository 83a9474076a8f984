import { problem } from '@melmastoon/domain'
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace'
import { Type } from 'typebox'
import { type App, type AppOptions, buildApp } from '../../src/http/build-app.ts'
import { createLogger, createMetrics, createTracer } from '../../src/telemetry/index.ts'

export type TestAppOptions = Partial<AppOptions> & {
  /** Further routes. */
  routes?: (app: App) => void
}

/** An app with one route of each kind, listening on a real port. */
export async function startTestApp({ routes, ...options }: TestAppOptions = {}) {
  const lines: string[] = []
  const stored: unknown[] = []
  const exporter = new InMemorySpanExporter()
  const tracer = createTracer({ service: 'test', exporter })
  const metrics = createMetrics('test')
  const logger = createLogger({ service: 'test', destination: { write: (l) => lines.push(l) } })
  const app = await buildApp({
    service: 'test',
    metrics,
    logger,
    tracer,
    trustsCallerSampling: true,
    ...options,
  })
  registerRoutes(app, stored)
  routes?.(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  return {
    app,
    port,
    lines,
    stored,
    metrics,
    tracer,
    exporter,
    [Symbol.asyncDispose]: () => {
      app.server.closeAllConnections()
      return app.close()
    },
  }
}

const NOTE = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 40_000 }),
  stars: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 20 }))),
})
const PAGE = Type.Object({
  limit: Type.Optional(Type.Integer({ maximum: 50 })),
  tag: Type.Optional(Type.Array(Type.String())),
})

function registerRoutes(app: App, stored: unknown[]): void {
  const config = { operation: 'note.place' }
  app.post('/notes', { config, schema: { body: NOTE } }, async (request, reply) => {
    stored.push(request.body)
    return reply.code(201).send({ stored: stored.length })
  })
  app.get('/notes', { schema: { querystring: PAGE } }, async (request) => request.query)
  app.get('/notes/:id', async (request) => request.params)
  app.delete('/notes/:id', async (request) => {
    stored.push(request.params)
    return { ok: true }
  })
  app.get('/fail', () => {
    throw new Error('relation "guests" does not exist on db.internal:5432 canary')
  })
  app.get('/limited', () => {
    throw problem('MELMASTOON.GENERAL.RATE_LIMITED', { retryAfterSeconds: 7 })
  })
  app.get('/throw-text', () => {
    throw 'canary'
  })
  app.get('/address', (request) => ({ ip: request.ip, host: request.host }))
}
