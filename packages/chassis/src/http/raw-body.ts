import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Keeps the received bytes of a JSON body, which the signature of a webhook covers. */
    rawBody?: boolean
  }
}

const received = new WeakMap<FastifyRequest, Buffer>()

/** Only routes that declare `rawBody` keep a copy. Called by the parser, within `bodyLimit`. */
export function keepRawBody(request: FastifyRequest, bytes: Buffer): void {
  if (request.state.config.rawBody === true) received.set(request, bytes)
}

/**
 * The bytes as received, for routes with `config: { rawBody: true }`: parsing and serialising again
 * may change them. Available from `preValidation` on; without a body it is empty.
 */
export function rawBodyOf(request: FastifyRequest): Buffer {
  if (request.routeOptions.config.rawBody !== true) {
    throw new TypeError('the route does not declare rawBody')
  }
  return received.get(request) ?? Buffer.alloc(0)
}

/** A cached body is shared by requests whose bytes are not retained. */
export function watchRawBodies(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.rawBody === true && config.cachesBodies === true) {
      throw new TypeError(`${url} declares both rawBody and cachesBodies`)
    }
  })
}
