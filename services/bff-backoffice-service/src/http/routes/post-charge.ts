import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { CURRENCY_CODES, type CurrencyCode, idPattern, microToMinor } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import {
  CHARGE_CATEGORIES,
  FOLIO_STATUSES,
  type FolioSummary,
} from '@melmastoon/upstream-contracts/billing'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import {
  CHARGE_PROBLEMS,
  chargePurpose,
  exceedsLimit,
  postCharge,
  requireFolio,
} from '../../desk/post-charge.ts'
import {
  CHANGE_DEADLINE_MS,
  changeBy,
  changeCall,
  expectedVersion,
  typedId,
  versionMembers,
} from '../change-request.ts'
import { staffMutation } from '../staff-mutation.ts'

/** Amounts are integers in minor units (D7). */
const Currency = Type.Unsafe<CurrencyCode>(Type.Enum([...CURRENCY_CODES]))
const Amount = Type.Object({ amount: Type.Integer(), currency: Currency })

const PostedCharge = named(
  'PostedCharge',
  Type.Object({
    chargeId: Type.String({ pattern: idPattern('chg') }),
    folioId: Type.String({ pattern: idPattern('fol') }),
    postedAt: Type.String({ format: 'date-time' }),
    folioStatus: Type.Enum([...FOLIO_STATUSES]),
    balance: Amount,
    ...versionMembers,
  }),
)

const schema = {
  params: Type.Object({ folioId: typedId('fol') }),
  body: named(
    'PostChargeRequest',
    Type.Object({
      amount: Type.Object({
        amount: Type.Integer({ minimum: 1, description: 'In minor units' }),
        currency: Currency,
      }),
      category: Type.Enum([...CHARGE_CATEGORIES]),
      description: Type.String({ minLength: 1, maxLength: 200 }),
      expectedVersion: expectedVersion(),
      attestationId: Type.Optional(
        Type.String({
          pattern: idPattern('mfa'),
          description: 'Of a step-up for `folio.charge`; required over the limit of the operator',
        }),
      ),
    }),
  ),
  response: { 201: PostedCharge },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'desk',
  action: 'folio.post_charge',
  resourceKind: 'folio',
  resourceId: ({ params }: Request) => params.folioId,
}

/** A charge over the limit of the operator needs a second factor. */
export function postChargeRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.folio.charge',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: [...CHARGE_PROBLEMS, 'MELMASTOON.SECURITY.STEP_UP_REQUIRED'],
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, params, body } = request
    const call = changeCall(request, claim, work)
    const { propertyId } = await requireFolio(ctx, { operator, ...params }, call)
    work.details.propertyId = propertyId
    const { attestationId, category, description } = body
    const { amount: amountMinor, currency } = body.amount
    const amount = { amountMinor, currency }
    if (exceedsLimit(operator, amount)) {
      const purpose = chargePurpose(params.folioId)
      const usedBy = claim.upstreamKey('step-up')
      await ctx.stepUp.consume(operator, { attestationId, purpose, usedBy })
    }
    const charge = { ...changeBy(request, body), ...params, amount, category, description }
    const { charge: posted, folio } = await postCharge(ctx, charge, call)
    const { chargeId, folioId, postedAt } = posted
    const response = { chargeId, folioId, postedAt, ...describeFolio(folio) }
    return { response: { status: 201, body: response } }
  })
  app.post('/folios/:folioId/charges', { config, schema }, handler)
}

function describeFolio({ status, balance, version, updatedAt }: FolioSummary) {
  const { amountMinor, currency } = microToMinor(balance.amountMicro, balance.currency)
  return {
    folioStatus: status,
    balance: { amount: amountMinor, currency },
    version,
    updatedAt,
  }
}
