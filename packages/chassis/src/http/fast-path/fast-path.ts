import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Logger, Tracer } from '../../telemetry/index.ts'
import type { LoadGauge, Traffic } from '../load.ts'
import { isJsonAcceptable } from '../negotiation.ts'
import { FastRequest, handOver, type ValidatedInput } from './fast-request.ts'
import type { FastResponder, FastRoute, FastRoutes, ReadyResponse } from './fast-route.ts'
import { isOrdinary } from './is-ordinary.ts'
import { KnownBodies, mayBeKnown } from './known-bodies.ts'
import { KnownUrls } from './known-urls.ts'
import { SendQueue } from './send-queue.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly fastPath: FastPath
  }
}

export interface FastPathOptions {
  readonly traffic: Traffic
  readonly load: LoadGauge
  readonly tracer: Tracer
  readonly logger: Logger
  readonly trustsCallerSampling: boolean
  readonly trustProxyHops: number
}

interface KnownRoute extends FastRoute {
  readonly bodies: KnownBodies
  registered: RouteOptions | null
}

/**
 * Sends responses that are ready without Fastify, which costs more than finding them. It serves
 * only requests that Fastify has validated before, by their URL or body; every request that is
 * unusual in any way, and every one without a ready response, continues to Fastify unchanged.
 */
export class FastPath {
  readonly #routes = new Map<string, KnownRoute>()
  /** By path: those without parameters, which are told apart by their body. */
  readonly #posts = new Map<string, KnownRoute>()
  readonly #urls = new KnownUrls()
  readonly #queue = new SendQueue()
  #options: FastPathOptions | undefined
  #sent = 0

  /** How many responses were sent without Fastify. */
  get sent(): number {
    return this.#sent
  }

  /** Call before the routes are registered. */
  add(routes: FastRoutes): void {
    for (const [name, respond] of Object.entries(routes)) {
      const bodies = new KnownBodies()
      this.#routes.set(name, { respond, bodies, config: {}, registered: null })
    }
  }

  /** Follows the registration of routes; until then every request goes to Fastify. */
  install(app: FastifyInstance, options: FastPathOptions): void {
    app.addHook('onRoute', (route) => this.#onRoute(route))
    app.addHook('onReady', async () => {
      for (const [name, route] of this.#routes) {
        if (route.registered === null) throw new TypeError(`there is no route ${name}`)
        // Hooks may have replaced it since the registration began.
        route.config = route.registered.config ?? {}
      }
      this.#options = options
    })
  }

  /** In front of Fastify's listener. */
  listener(next: RequestListener): RequestListener {
    return (request, response) => {
      if (request.method === 'GET') {
        if (!this.#get(request, response)) next(request, response)
      } else if (request.method === 'POST') this.#post(request, response, next)
      else next(request, response)
    }
  }

  #onRoute(route: RouteOptions): void {
    const known = this.#routes.get(`${String(route.method)} ${route.url}`)
    if (known === undefined) return
    if (route.method === 'POST') this.#posts.set(route.url, known)
    else this.#urls.follow(route, known)
    known.registered = route
  }

  #get(request: IncomingMessage, response: ServerResponse): boolean {
    const known = this.#urls.find(request.url)
    if (known === undefined || !isOrdinary(request)) return false
    return this.#respond(known.route, known.input, { request, response })
  }

  /**
   * The body has usually arrived with the head: it has been parsed when the current callback ends.
   * It is put back if there is no ready response.
   */
  #post(request: IncomingMessage, response: ServerResponse, next: RequestListener): void {
    const route = this.#posts.get(request.url ?? '')
    if (route === undefined || !isOrdinary(request)) {
      next(request, response)
      return
    }
    process.nextTick(() => {
      if (!this.#respondToBody(route, { request, response })) next(request, response)
    })
  }

  #respondToBody(route: KnownRoute, exchange: Exchange): boolean {
    const { request } = exchange
    // Reading an empty stream would end it before Fastify listens to it.
    if (!mayBeKnown(request)) return false
    const bytes = request.read() as Buffer
    const body = route.bodies.find(bytes, route.config)
    const input = { params: undefined, query: undefined, body }
    if (body !== undefined && this.#respond(route, input, exchange)) return true
    request.unshift(bytes)
    return false
  }

  #respond(route: FastRoute, input: ValidatedInput, { request, response }: Exchange): boolean {
    const options = this.#options
    if (options === undefined || options.traffic.draining || options.load.overloaded) return false
    const fast = new FastRequest(request, input, options.trustProxyHops)
    if (fast.encodings.length === 0 || !isJsonAcceptable(fast.headers)) return false
    const ready = isRecorded(fast, options) ? undefined : tryRespond(route.respond, fast)
    if (ready === undefined) {
      handOver(fast)
      return false
    }
    this.#queue.add({ response, request: fast, ready, config: route.config, options })
    this.#sent += 1
    return true
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

function isRecorded(request: FastRequest, { tracer, trustsCallerSampling }: FastPathOptions) {
  const parent = request.parentTrace
  const isTrusted = parent !== null && trustsCallerSampling
  request.isSampled = isTrusted ? parent.sampled : tracer.shouldSample()
  return request.isSampled
}

/** Fastify runs the handler again, which has the same error, and reports it. */
function tryRespond(respond: FastResponder, request: FastRequest): ReadyResponse | undefined {
  try {
    return respond(request)
  } catch {
    return undefined
  }
}

export interface ListenerOptions {
  readonly http?: ServerOptions
  readonly keepAliveTimeout?: number
  readonly requestTimeout?: number
  readonly connectionTimeout?: number
  readonly maxRequestsPerSocket?: number
}

/** For `serverFactory`: the settings that Fastify applies to a server that it creates itself. */
export function createFastServer(
  fastPath: FastPath,
  next: RequestListener,
  options: ListenerOptions,
): Server {
  const server = createServer(options.http ?? {}, fastPath.listener(next))
  const { keepAliveTimeout, requestTimeout, maxRequestsPerSocket = 0 } = options
  if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout
  if (requestTimeout !== undefined) server.requestTimeout = requestTimeout
  server.setTimeout(options.connectionTimeout ?? 0)
  if (maxRequestsPerSocket > 0) server.maxRequestsPerSocket = maxRequestsPerSocket
  return server
}
