import type { Preferences } from '@melmastoon/bff/preferences'
import { addHeader, type SendCachedOptions, sendCached } from '@melmastoon/chassis/http'
import type { FastifyReply } from 'fastify'
import type { ServedPrices } from '../rates/served-prices.ts'
import { varyOf } from './private-preferences.ts'

export type CachedPrices = Extract<ServedPrices<unknown>, { kind: 'cached' }>

export interface PriceRequest {
  readonly query: Parameters<typeof varyOf>[0]
  readonly preferences: Preferences
}

/** Only the client may cache prices, and no longer than they are fresh (D6). */
export function sendPrices<Document>(
  reply: FastifyReply,
  served: ServedPrices<Document>,
  { query, preferences }: PriceRequest,
): void {
  addHeader(reply, 'content-language', preferences.locale)
  if (served.kind === 'none') {
    reply.header('cache-control', 'no-store').send(served.document)
    return
  }
  sendCached(reply, served.bytes, priceCaching(served, query))
}

export function priceCaching(
  { origin, maxAgeSeconds }: Pick<CachedPrices, 'origin' | 'maxAgeSeconds'>,
  query: PriceRequest['query'],
): SendCachedOptions {
  const freshness = maxAgeSeconds === 0 ? 'no-cache' : `max-age=${maxAgeSeconds}`
  return { cacheControl: `private, ${freshness}`, ...varyOf(query), servedFor: origin }
}
