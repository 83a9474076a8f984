import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { normalizeDateTime } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { planExtend } from '../../locks/plan-change.ts'
import { KeyIdField, LOCK_PROBLEMS, lockHandler, ReservationParams } from '../lock-route.ts'
import { LockActionVM } from '../lock-view.ts'

const schema = {
  params: ReservationParams,
  body: named(
    'ExtendKeyRequest',
    Type.Object({
      keyId: KeyIdField,
      validUntil: Type.Optional(
        Type.String({ format: 'date-time', description: 'By default 30 minutes after check-out' }),
      ),
    }),
  ),
  response: { 201: LockActionVM, 202: LockActionVM },
}

/** Changes the end of the validity of a key (B9). */
export function extendKeyRoute(app: App, ctx: BackofficeContext) {
  const problems = [...LOCK_PROBLEMS, 'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION'] as const
  const config = { operation: 'staff.lock.extend', problems }
  const handler = lockHandler<SchemaRequest<typeof schema>>(
    ctx,
    'extend',
    ({ operator, params, body }, requestKey, call) => {
      const { keyId } = body
      const validUntil =
        body.validUntil === undefined ? undefined : normalizeDateTime(body.validUntil)
      return planExtend(ctx, { operator, ...params, keyId, validUntil, requestKey }, call)
    },
  )
  app.post('/locks/:reservationId/extend-key', { config, schema }, handler)
}
