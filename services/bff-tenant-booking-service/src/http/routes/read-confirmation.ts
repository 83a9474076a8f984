import type { App } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { ConfirmationView } from '../../confirmation/confirmation-view.ts'
import { findConfirmation, viewConfirmation } from '../../confirmation/read-confirmation.ts'
import { reportView } from '../../confirmation/report-view.ts'
import type { BookingContext } from '../../context.ts'
import {
  confirmationRequest,
  confirmationSchema,
  protectConfirmation,
} from '../request-confirmation.ts'
import { bookingActor, ensureSession } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 4_000

const schema = { ...confirmationSchema, response: { 200: named('Confirmation', ConfirmationView) } }

/** A session is started only for those who may see the confirmation. */
export function readConfirmationRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.confirmation.read',
    deadlineMs: DEADLINE_MS,
    servesSuspended: true,
    responseHeaders: ['Set-Cookie', 'Cache-Control', 'Content-Language'],
    problems: [
      'MELMASTOON.BFF.TENANT.CONFIRMATION_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.UPSTREAM_BUDGET_EXCEEDED',
    ],
  } as const
  app.get('/confirmation/:reservationId', { config, schema }, async (request, reply) => {
    protectConfirmation(reply)
    const found = await findConfirmation(ctx, confirmationRequest(request, session))
    const actor = bookingActor(ctx, request, ensureSession(ctx, session, { request, reply }))
    reportView(ctx, found, actor)
    reply.header('content-language', actor.locale)
    return viewConfirmation(ctx, found, actor)
  })
}
