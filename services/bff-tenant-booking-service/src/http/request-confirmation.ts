import { PRIVATE_HEADERS } from '@melmastoon/chassis/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ConfirmationRequest } from '../confirmation/read-confirmation.ts'
import type { BookingSessionHook } from './request-guest.ts'

/** What both routes of a confirmation take. */
export const confirmationSchema = {
  params: Type.Object({
    reservationId: Type.String({
      maxLength: 64,
      description: 'From `outcome.reservationId` of the booking',
    }),
  }),
  querystring: Type.Object({
    t: Type.Optional(Type.String({ description: 'The token of a signed link' })),
  }),
  headers: Type.Object({
    'x-confirmation-token': Type.Optional(
      Type.String({ description: 'The same, where it should not be part of a URL' }),
    ),
  }),
}

type RequestParts = FastifyRequest & {
  readonly params: { readonly reservationId: string }
  readonly query: { readonly t?: string }
}

/** Who asks for which confirmation, and with which proof. */
export function confirmationRequest(
  request: RequestParts,
  session: BookingSessionHook,
): ConfirmationRequest {
  const { site, params, query, headers, deadline, trace } = request
  const lookup = session.lookupOf(request)
  const header = headers['x-confirmation-token']
  return {
    tenantId: site.tenantId,
    reservationId: params.reservationId,
    sessionId: lookup.kind === 'none' ? null : lookup.session.id,
    token: typeof header === 'string' ? header : query.t,
    deadline,
    trace,
  }
}

/** The URL may contain a token: no page that is opened from here may learn it. */
export function protectConfirmation(reply: FastifyReply): void {
  reply.headers({ ...PRIVATE_HEADERS, 'referrer-policy': 'no-referrer' })
}
