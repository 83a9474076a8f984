import type { IncomingMessage } from 'node:http'

/**
 * Whether the head of a request is one that needs none of the checks of `rejectionOf`: HTTP/1.1,
 * one host, from our own pages or from no page, and a body of known length in no encoding, if any.
 * All others are checked by Fastify's hooks.
 */
export function isOrdinary({ method, headers, httpVersion }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' || headers.host === undefined || headers.host.includes(','))
    return false
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false
  if (method === 'GET') return headers['content-length'] === undefined
  if (headers['content-encoding'] !== undefined) return false
  return isOwn(headers['sec-fetch-site'], headers.origin)
}

function isOwn(site: string | string[] | undefined, origin: string | undefined): boolean {
  return site === undefined ? origin === undefined : site === 'same-origin' || site === 'none'
}
