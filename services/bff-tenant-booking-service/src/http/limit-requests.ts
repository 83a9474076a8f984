import { createLimitHook, type LimitHook } from '@melmastoon/chassis/http'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { BookingContext } from '../context.ts'
import { type LimitClass, requestLimits } from '../limits/request-limits.ts'
import type { BookingSessionHook } from './request-guest.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit this route counts towards; by default GET is a read, any other method a change. */
    bookingLimit?: LimitClass
  }
}

const ADDRESSES_MAX = 20_000

/** An `onRequest` hook, after the session's: limits per guest, address and tenant. */
export function createBookingLimitHook(
  ctx: BookingContext,
  session: BookingSessionHook,
): LimitHook {
  const hashed = new LRUCache<string, string>({ max: ADDRESSES_MAX })
  const hashOf = (address: string) => {
    const known = hashed.get(address)
    if (known !== undefined) return known
    const hash = ctx.hashes.hashAddress(address)
    hashed.set(address, hash)
    return hash
  }
  return createLimitHook((request) => {
    const lookup = session.lookupOf(request)
    const client = {
      sessionId: lookup.kind === 'none' ? undefined : lookup.session.id,
      addressHash: hashOf(request.ip),
      tenantId: request.site.tenantId,
    }
    return requestLimits(ctx, client, limitClassOf(request))
  })
}

function limitClassOf({ method, state }: FastifyRequest): LimitClass {
  const { bookingLimit } = state.config
  return bookingLimit ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'change')
}
