import type { App } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import { signOut } from '../../access/sign-out.ts'
import type { BackofficeContext } from '../../context.ts'
import { staffMutation } from '../staff-mutation.ts'

const schema = { response: { 204: Type.Null({ description: 'The session has ended' }) } }

const activity = {
  category: 'session',
  action: 'session.sign_out',
  resourceKind: 'session',
  resourceId: ({ operator }: { readonly operator: { readonly sessionId: string } }) =>
    operator.sessionId,
}

/** Ends the session here and at iam, with its refresh token. */
export function signOutRoute(app: App, ctx: BackofficeContext) {
  const config = { operation: 'staff.session.sign-out' } as const
  const handler = staffMutation(ctx, { activity }, async ({ operator, trace }, claim, work) => {
    const idempotencyKey = claim.upstreamKey('revoke')
    await signOut(ctx, operator, { deadline: work.deadline, trace, idempotencyKey })
    return { response: { status: 204 } }
  })
  app.post('/auth/sign-out', { config, schema }, handler)
}
