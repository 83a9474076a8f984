import type { FastifyInstance } from 'fastify'
import { isIdempotentHandler } from './idempotent-route.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

const found = new WeakMap<FastifyInstance['server'], string[]>()

/** Records the routes registered from now on; `buildApp` calls it before there are any. */
export function watchMutatingRoutes(app: FastifyInstance): void {
  const bare: string[] = []
  found.set(app.server, bare)
  app.addHook('onRoute', ({ method, url, handler, config }) => {
    if (isIdempotentHandler(handler)) return assertOperation(url, config?.operation)
    for (const name of [method].flat()) {
      if (!SAFE_METHODS.has(name)) bare.push(`${name} ${url}`)
    }
  })
}

/**
 * Routes such as `POST /notes` that change something and are not idempotent (P7). The tests of a
 * service expect exactly the exceptions that it documents, such as a webhook, whose signed event id
 * identifies it instead of a key.
 */
export function mutatingRoutesWithoutIdempotency(app: Pick<FastifyInstance, 'server'>): string[] {
  const routes = found.get(app.server)
  if (routes === undefined) throw new TypeError('the app was not created by buildApp')
  return routes.toSorted()
}

/** The operation is part of the scope of a key (D24); found at start-up, not by a request. */
function assertOperation(url: string, operation: string | undefined): void {
  if (operation === undefined) throw new TypeError(`${url} is idempotent and needs an operation`)
}
