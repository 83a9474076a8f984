import type { FastifyRequest, preHandlerHookHandler, RouteOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { ValidatedInput } from './fast-request.ts'
import type { FastRoute } from './fast-route.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Query parameters that are secret: URLs with one of them are not kept in memory. */
    secretParameters?: readonly string[]
  }
}

export interface KnownUrl {
  readonly route: FastRoute
  readonly input: ValidatedInput
}

const URLS_MAX = 10_000
const URL_LENGTH_MAX = 512

/** The URLs of GET requests whose parameters Fastify has parsed and validated. */
export class KnownUrls {
  readonly #urls = new LRUCache<string, KnownUrl>({ max: URLS_MAX })

  find(url: string | undefined): KnownUrl | undefined {
    return url === undefined ? undefined : this.#urls.get(url)
  }

  /** Remembers the URLs of a route once they have passed its validation. */
  follow(options: RouteOptions, route: FastRoute): void {
    const remember: preHandlerHookHandler = (request, _reply, done) => {
      const { url } = request.raw
      if (url !== undefined && mayBeKnown(request)) {
        const params = Object.freeze({ ...(request.params as object) })
        const query = Object.freeze({ ...(request.query as object) })
        this.#urls.set(url, { route, input: { params, query, body: undefined } })
      }
      done()
    }
    options.preHandler = [...[options.preHandler ?? []].flat(), remember]
  }
}

function mayBeKnown({ method, raw, query, routeOptions }: FastifyRequest): boolean {
  if (method !== 'GET' || (raw.url?.length ?? 0) > URL_LENGTH_MAX) return false
  const { secretParameters = [] } = routeOptions.config
  return !secretParameters.some((name) => name in (query as object))
}
