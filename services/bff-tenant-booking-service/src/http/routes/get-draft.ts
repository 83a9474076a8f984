import type { App } from '@melmastoon/chassis/http'
import type { DraftId } from '@melmastoon/domain'
import { id, named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { DraftVM, draftHeaders } from '../../bookings/draft-view.ts'
import { readOwnDraft } from '../../bookings/read-own-booking.ts'
import type { BookingContext } from '../../context.ts'
import { withConfirmationLink } from '../confirmed-draft.ts'
import { siteSuspended } from '../request-site.ts'
import type { Hooks } from './index.ts'

export const DraftParams = Type.Object({
  draftId: Type.Unsafe<DraftId>({ ...id('bdr'), description: 'Of a booking of this session' }),
})

/** Of actions that need no more than the booking itself. */
export const EmptyBody = named('EmptyBody', Type.Object({}))

/** Of every response that is a draft. */
export const DRAFT_HEADERS = ['ETag', 'Cache-Control'] as const

const DEADLINE_MS = 2_000

/** While the hotel is suspended, guests who have paid still see what happened to their payment. */
const HAD_MONEY: ReadonlySet<DraftVM['state']> = new Set(['confirming', 'confirmed', 'failed'])

const schema = { params: DraftParams, response: { 200: DraftVM } }

/** Any tab of the session can resume (T10); also without the session's store (D25). */
export function getDraftRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.draft.get',
    deadlineMs: DEADLINE_MS,
    servesSuspended: true,
    responseHeaders: DRAFT_HEADERS,
    problems: [
      'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.SITE_SUSPENDED',
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ],
  } as const
  app.get('/draft/:draftId', { config, schema }, async (request, reply) => {
    const { site, params, deadline } = request
    const sessionId = session.requireSessionWithoutStore(request).id
    const own = { tenantId: site.tenantId, sessionId, deadline, ...params }
    const draft = await readOwnDraft(ctx, own)
    if (site.isSuspended && !HAD_MONEY.has(draft.state)) throw siteSuspended()
    reply.headers(draftHeaders(draft))
    return withConfirmationLink(ctx, site, draft)
  })
}
