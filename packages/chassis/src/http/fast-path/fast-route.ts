import type { FastifyContextConfig } from 'fastify'
import type { SentBytes } from '../../cache/index.ts'
import type { SendCachedOptions } from '../send-cached.ts'
import type { FastRequest } from './fast-request.ts'

/** A response whose bytes this process has; its other headers are in the request's list. */
export interface ReadyResponse {
  readonly bytes: SentBytes
  readonly options: SendCachedOptions
}

/**
 * Returns the response if it is ready now, having done what the hooks and the handler of its route
 * do; undefined (or an error) passes the request on to Fastify.
 */
export type FastResponder = (request: FastRequest) => ReadyResponse | undefined

/** By method and path of the route, as it is registered: `POST /bff/consumer/v1/search`. */
export type FastRoutes = Readonly<Record<string, FastResponder>>

export interface FastRoute {
  readonly respond: FastResponder
  /** Of the registered route. */
  config: FastifyContextConfig
}
