import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import type { BookingContext } from '../../context.ts'
import { extendHold } from '../../holds/extend-hold.ts'
import { ExtensionVM } from '../../holds/extension-view.ts'
import {
  CHANGE_HOLD_DEADLINE_MS,
  CHANGE_HOLD_PROBLEMS,
  changeHoldHandler,
} from '../change-hold-handler.ts'
import { DRAFT_HEADERS, DraftParams, EmptyBody } from './get-draft.ts'
import type { Hooks } from './index.ts'

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
    deadlineMs: CHANGE_HOLD_DEADLINE_MS,
    responseHeaders: DRAFT_HEADERS,
    problems: [...FINAL, ...CHANGE_HOLD_PROBLEMS],
  } as const
  const extend = changeHoldHandler<ExtendRequest>(ctx, session, {
    finalRejections: FINAL,
    apply: (change) => extendHold(ctx, change),
  })
  app.post('/draft/:draftId/extend', { config, schema }, extend)
}
