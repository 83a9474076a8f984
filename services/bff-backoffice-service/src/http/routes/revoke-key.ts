import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { type Id, idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { REVOKE_REASONS } from '@melmastoon/upstream-contracts/lock'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { planRevoke } from '../../locks/plan-revoke.ts'
import { KeyIdField, LOCK_PROBLEMS, lockHandler, ReservationParams } from '../lock-route.ts'
import { LockActionVM } from '../lock-view.ts'

const schema = {
  params: ReservationParams,
  body: named(
    'RevokeKeyRequest',
    Type.Object({
      keyId: Type.Optional(KeyIdField),
      issueActionId: Type.Optional(
        Type.Unsafe<Id<'lap'>>(
          Type.String({
            pattern: idPattern('lap'),
            description: 'Instead of `keyId`: the action that is still issuing the key',
          }),
        ),
      ),
      reason: Type.Enum([...REVOKE_REASONS]),
      attestationId: Type.Optional(
        Type.String({
          pattern: idPattern('mfa'),
          description:
            'Of a second factor for `lock.revoke` and this reservation. A repeated request needs no new one.',
        }),
      ),
    }),
  ),
  response: { 201: LockActionVM, 202: LockActionVM },
}

/** Revokes a key, also while it is being issued; requires a second factor (B9). */
export function revokeKeyRoute(app: App, ctx: BackofficeContext) {
  const problems = [...LOCK_PROBLEMS, 'MELMASTOON.SECURITY.STEP_UP_REQUIRED'] as const
  const config = { operation: 'staff.lock.revoke', problems }
  const handler = lockHandler<SchemaRequest<typeof schema>>(
    ctx,
    'revoke',
    ({ operator, params, body }, requestKey, call) =>
      planRevoke(ctx, { operator, ...params, ...body, requestKey }, call),
  )
  app.post('/locks/:reservationId/revoke-key', { config, schema }, handler)
}
