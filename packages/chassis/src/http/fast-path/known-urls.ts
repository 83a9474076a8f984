import type { preHandlerHookHandler, RouteOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { ValidatedInput } from './fast-request.ts'
import type { FastRoute } from './fast-route.ts'

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
      if (request.method === 'GET' && url !== undefined && url.length <= URL_LENGTH_MAX) {
        const params = Object.freeze({ ...(request.params as object) })
        const query = Object.freeze({ ...(request.query as object) })
        this.#urls.set(url, { route, input: { params, query, body: undefined } })
      }
      done()
    }
    options.preHandler = [...[options.preHandler ?? []].flat(), remember]
  }
}
