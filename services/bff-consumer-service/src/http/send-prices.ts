import type { Preferences } from '@melmastoon/bff/preferences'
import { addHeader, sendCached } from '@melmastoon/chassis/http'
import type { FastifyReply } from 'fastify'
import type { ServedPrices } from '../rates/served-prices.ts'
import { varyOf } from './private-preferences.ts'

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
  const { bytes, origin, maxAgeSeconds } = served
  const freshness = maxAgeSeconds === 0 ? 'no-cache' : `max-age=${maxAgeSeconds}`
  sendCached(reply, bytes, {
    cacheControl: `private, ${freshness}`,
    ...varyOf(query),
    servedFor: origin,
  })
}
