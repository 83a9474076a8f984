import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Keeps the received bytes of a JSON body, which the signature of a webhook covers. `unparsed`:
     * the body is nothing but these bytes, so that a signature is verified before anything is read.
     */
    rawBody?: boolean | 'unparsed'
  }
}

const received = new WeakMap<FastifyRequest, Buffer>()

/** Only routes that declare `rawBody` keep a copy. Called by the parser, within `bodyLimit`. */
export function keepRawBody(request: FastifyRequest, bytes: Buffer): void {
  if (keepsBytes(request.state.config)) received.set(request, bytes)
}

function keepsBytes({ rawBody = false }: FastifyContextConfig): boolean {
  return rawBody !== false
}

/**
 * The bytes as received, for routes with `config: { rawBody }`: parsing and serialising again
 * may change them. Available from `preValidation` on; without a body it is empty.
 */
export function rawBodyOf(request: FastifyRequest): Buffer {
  if (!keepsBytes(request.routeOptions.config)) {
    throw new TypeError('the route does not declare rawBody')
  }
  return received.get(request) ?? Buffer.alloc(0)
}

/** A cached body is shared by requests whose bytes are not retained. */
export function watchRawBodies(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url, config }) => {
    if (config !== undefined && keepsBytes(config) && config.cachesBodies === true) {
      throw new TypeError(`${url} declares both rawBody and cachesBodies`)
    }
  })
}
