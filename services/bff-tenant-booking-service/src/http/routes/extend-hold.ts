import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import type { BookingContext } from '../../context.ts'
import { extendHold } from '../../holds/extend-hold.ts'
import { ExtensionVM } from '../../holds/extension-view.ts'
import { bookingActor, bookingMutation } from '../request-guest.ts'
import { DRAFT_HEADERS, DraftParams, EmptyBody } from './get-draft.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 5_000

const schema = { params: DraftParams, body: EmptyBody, response: { 200: ExtensionVM } }
type ExtendRequest = SchemaRequest<typeof schema>

const FINAL = [
  'MELMASTOON.BFF.TENANT.HOLD_EXPIRED',
  'MELMASTOON.BFF.TENANT.EXTENSION_LIMIT',
] as const

/** More time for the guest (D11). */
export function extendHoldRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.hold.extend',
    deadlineMs: DEADLINE_MS,
    responseHeaders: DRAFT_HEADERS,
    problems: [
      ...FINAL,
      'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.DRAFT_ENDED',
      'MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION',
      'MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT',
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ],
  } as const
  const options = bookingMutation<ExtendRequest>({ ctx, session, withoutStore: true })
  const extend = idempotent(
    { ...options, finalRejections: FINAL },
    (request, claim, { deadline }) => {
      const guest = session.requireSessionWithoutStore(request)
      const { draftId } = request.params
      return extendHold(ctx, { ...bookingActor(ctx, request, guest), deadline, draftId, claim })
    },
  )
  app.post('/draft/:draftId/extend', { config, schema }, extend)
}
