import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import {
  type FieldError,
  fieldError,
  type Id,
  idPattern,
  throwIfInvalid,
  toIsoDateTime,
} from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { MFA_FACTORS, type MfaFactor } from '@melmastoon/upstream-contracts/iam'
import { type TSchema, Type } from 'typebox'
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

const code = Type.String({ pattern: '^\\d{6}$', description: 'A one-time code' })
const challengeId = Type.Unsafe<Id<'chl'>>(Type.String({ pattern: idPattern('chl') }))
const assertion = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The signature, in base64url',
})

/** One schema per factor, each with its own members. */
const byFactor = (factor: MfaFactor, title: string, members: Record<string, TSchema>) =>
  Type.Object(
    { ...stepUpPurpose, factor: Type.Enum([factor]), ...members },
    { title, additionalProperties: false },
  )

/** For the document: a union by `factor`. The route itself names what is missing. */
export const STEP_UP_UNION = {
  oneOf: [
    byFactor('totp', 'TotpStepUpRequest', { code }),
    byFactor('signed_challenge', 'SignedStepUpRequest', { challengeId, assertion }),
  ],
  discriminator: {
    propertyName: 'factor',
    mapping: {
      totp: '#/components/schemas/TotpStepUpRequest',
      signed_challenge: '#/components/schemas/SignedStepUpRequest',
    },
  },
} as const

const schema = {
  body: named(
    'StepUpRequest',
    Type.Object({
      ...stepUpPurpose,
      factor: Type.Enum([...MFA_FACTORS]),
      code: Type.Optional(code),
      challengeId: Type.Optional(challengeId),
      assertion: Type.Optional(assertion),
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

const MEMBERS = ['code', 'challengeId', 'assertion'] as const

/** Each factor has its own members, and no others. */
function memberErrors(body: Request['body']): FieldError[] {
  const own: readonly string[] = body.factor === 'totp' ? ['code'] : ['challengeId', 'assertion']
  return MEMBERS.flatMap((name) => {
    if (own.includes(name) === (body[name] !== undefined)) return []
    return own.includes(name)
      ? [fieldError(`/${name}`, 'required', 'is required')]
      : [fieldError(`/${name}`, 'additionalProperties', `is not a field of ${body.factor}`)]
  })
}

/** Confirms one action with a second factor, for five minutes. */
export function stepUpRoute(app: App, ctx: BackofficeContext) {
  const config = { operation: 'staff.mfa.step-up', problems: MFA_PROBLEMS } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, trace, body } = request
    throwIfInvalid(memberErrors(body))
    const { action, resourceKind, resourceId, ...factor } = body
    const call = { deadline: work.deadline, trace, idempotencyKey: claim.upstreamKey('attest') }
    const purpose = { action, resourceKind, resourceId }
    const { expiresAt, ...rest } = await ctx.stepUp.confirm(operator, { purpose, factor }, call)
    return { response: { status: 201, body: { ...rest, expiresAt: toIsoDateTime(expiresAt) } } }
  })
  app.post('/auth/mfa/step-up', { config, schema }, handler)
}
