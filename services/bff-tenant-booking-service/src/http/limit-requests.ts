import { createLimitHook, type LimitHook } from '@melmastoon/chassis/http'
import type { FastifyRequest } from 'fastify'
import type { BookingContext } from '../context.ts'
import { type LimitClass, requestLimits } from '../limits/request-limits.ts'
import type { BookingSessionHook } from './request-guest.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit this route counts towards; by default GET is a read, any other method a change. */
    bookingLimit?: LimitClass
  }
}

/** An `onRequest` hook, after the session's: limits per guest, address and tenant. */
export function createBookingLimitHook(
  ctx: BookingContext,
  session: BookingSessionHook,
): LimitHook {
  return createLimitHook((request) => {
    const lookup = session.lookupOf(request)
    const client = {
      sessionId: lookup.kind === 'none' ? undefined : lookup.session.id,
      addressHash: ctx.clientHashes.hashAddress(request.ip),
      tenantId: request.site.tenantId,
    }
    return requestLimits(ctx, client, limitClassOf(request))
  })
}

function limitClassOf({ method, state }: FastifyRequest): LimitClass {
  const { bookingLimit } = state.config
  return bookingLimit ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'change')
}
