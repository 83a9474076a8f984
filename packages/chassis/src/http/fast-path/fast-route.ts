import type { FastifyContextConfig } from 'fastify'
import type { SentBytes } from '../../cache/index.ts'
import type { SendCachedOptions } from '../send-cached.ts'
import type { FastRequest } from './fast-request.ts'

/** A response whose bytes this process has; its other headers are in the request's list. */
export interface CachedResponse {
  readonly bytes: SentBytes
  readonly options: SendCachedOptions
}

/**
 * A JSON object that only this client may store, in no encoding: members that many responses share,
 * and those of this one. Only for requests that accept the encoding `identity`.
 */
export interface AssembledResponse {
  /** A JSON object with at least one member, as a cache has it. */
  readonly shared: Buffer
  /** The same, as text. */
  readonly own: string
}

export type ReadyResponse = CachedResponse | AssembledResponse

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
