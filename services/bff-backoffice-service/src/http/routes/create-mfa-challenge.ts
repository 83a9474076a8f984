import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { MFA_FACTORS } from '@melmastoon/upstream-contracts/iam'
import { Type } from 'typebox'
import { MFA_PROBLEMS } from '../../access/step-up.ts'
import type { BackofficeContext } from '../../context.ts'
import { staffMutation } from '../staff-mutation.ts'
import { stepUpPurpose } from '../step-up-purpose.ts'

const MfaChallengeVM = named(
  'MfaChallenge',
  Type.Object({
    challengeId: Type.String({ pattern: idPattern('chl') }),
    challenge: Type.String({
      description: 'The bytes of this text are signed; it contains a hash of action and resource',
    }),
    expiresAt: Type.String({ format: 'date-time' }),
    factors: Type.Array(Type.Enum([...MFA_FACTORS]), {
      description: 'What the operator can confirm with, the preferred one first',
    }),
  }),
)

const schema = {
  body: named('CreateMfaChallengeRequest', Type.Object(stepUpPurpose)),
  response: { 201: MfaChallengeVM },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'session',
  action: 'mfa.challenge',
  resourceKind: 'session',
  resourceId: ({ operator }: Request) => operator.sessionId,
}

/** A challenge for the authenticator of the operator; offered before one-time codes. */
export function createMfaChallengeRoute(app: App, ctx: BackofficeContext) {
  const config = { operation: 'staff.mfa.challenge', problems: MFA_PROBLEMS } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, trace, body } = request
    const call = { deadline: work.deadline, trace }
    const idempotencyKey = claim.upstreamKey('challenge')
    const [challenge, factors] = await Promise.all([
      ctx.stepUp.challenge(operator, body, { ...call, idempotencyKey }),
      ctx.stepUp.factors(operator, call),
    ])
    return { response: { status: 201, body: { ...challenge, factors } } }
  })
  app.post('/auth/mfa/challenges', { config, schema }, handler)
}
