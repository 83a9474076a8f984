import type { FastifyInstance } from 'fastify'
import { isIdempotentHandler } from './idempotent-handler.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

const found = new WeakMap<FastifyInstance['server'], string[]>()

/** Watches an app's routes from here on; `buildApp` calls it before there are any. */
export function watchMutatingRoutes(app: FastifyInstance): void {
  const bare: string[] = []
  found.set(app.server, bare)
  app.addHook('onRoute', ({ method, url, handler }) => {
    if (isIdempotentHandler(handler)) return
    for (const name of [method].flat()) {
      if (!SAFE_METHODS.has(name)) bare.push(`${name} ${url}`)
    }
  })
}

/**
 * Routes such as `POST /notes` that change something and may do so twice (P7). A service's tests
 * expect the list to hold the exceptions it can explain, and nothing else.
 */
export function mutatingRoutesWithoutIdempotency(app: Pick<FastifyInstance, 'server'>): string[] {
  const routes = found.get(app.server)
  if (routes === undefined) throw new TypeError('the app was not made by buildApp')
  return routes.toSorted()
}
