import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { type Id, idPattern, toIsoDateTime } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { MFA_FACTORS } from '@melmastoon/upstream-contracts/iam'
import { Type } from 'typebox'
import { MFA_PROBLEMS } from '../../access/step-up.ts'
import type { BackofficeContext } from '../../context.ts'
import { staffMutation } from '../staff-mutation.ts'
import { stepUpPurpose } from '../step-up-purpose.ts'

const AttestationVM = named(
  'MfaAttestation',
  Type.Object({
    attestationId: Type.String({
      pattern: idPattern('mfa'),
      description: 'For one request with this action and resource, of this device and session',
    }),
    factor: Type.Enum([...MFA_FACTORS]),
    expiresAt: Type.String({ format: 'date-time' }),
  }),
)

const schema = {
  body: named(
    'StepUpRequest',
    Type.Object({
      ...stepUpPurpose,
      factor: Type.Enum([...MFA_FACTORS]),
      code: Type.Optional(Type.String({ pattern: '^\\d{6}$', description: 'Of `totp`' })),
      challengeId: Type.Optional(
        Type.Unsafe<Id<'chl'>>(Type.String({ pattern: idPattern('chl') })),
      ),
      assertion: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'The signature, in base64url' }),
      ),
    }),
  ),
  response: { 201: AttestationVM },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'session',
  action: 'mfa.step_up',
  resourceKind: 'session',
  resourceId: ({ operator }: Request) => operator.sessionId,
}

/** Confirms one action with a second factor, for five minutes. */
export function stepUpRoute(app: App, ctx: BackofficeContext) {
  const config = { operation: 'staff.mfa.step-up', problems: MFA_PROBLEMS } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, trace, body } = request
    const { action, resourceKind, resourceId, ...factor } = body
    const call = { deadline: work.deadline, trace, idempotencyKey: claim.upstreamKey('attest') }
    const purpose = { action, resourceKind, resourceId }
    const { expiresAt, ...rest } = await ctx.stepUp.confirm(operator, purpose, factor, call)
    return { response: { status: 201, body: { ...rest, expiresAt: toIsoDateTime(expiresAt) } } }
  })
  app.post('/auth/mfa/step-up', { config, schema }, handler)
}
