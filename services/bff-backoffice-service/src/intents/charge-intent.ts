import type { ClientOf } from '@melmastoon/bff/upstreams'
import { asAbsent } from '@melmastoon/bff/upstreams'
import { CURRENCY_CODES, type CurrencyCode, type Id } from '@melmastoon/domain'
import {
  type billingContract,
  CHARGE_CATEGORIES,
  type Charge,
  type Folio,
} from '@melmastoon/upstream-contracts/billing'
import { Type } from 'typebox'
import { CHARGE_PROBLEMS, type ChargeDeps, exceedsLimit, postCharge } from '../desk/post-charge.ts'
import { passing } from '../upstreams/staff-change.ts'
import { defineIntent } from './define-intent.ts'
import { lastChange } from './resource-history.ts'

export interface ChargeIntentDeps extends ChargeDeps {
  readonly upstreams: ChargeDeps['upstreams'] & {
    readonly billing: Pick<ClientOf<typeof billingContract>, 'findCharge'>
  }
}

const Currency = Type.Unsafe<CurrencyCode>(Type.Enum([...CURRENCY_CODES]))

const Args = Type.Object(
  {
    amount: Type.Integer({ minimum: 1, description: 'In minor units' }),
    category: Type.Enum([...CHARGE_CATEGORIES]),
    description: Type.String({ minLength: 1, maxLength: 200 }),
  },
  { additionalProperties: false },
)

interface FolioWithCharge {
  readonly folio: Folio
  /** The charge of this intent. */
  readonly charge: Charge | null
}

/** Expects an open folio in a currency. A folio that changes is no conflict: charges add up. */
export const chargeIntent = defineIntent({
  name: 'folio.post_charge',
  operation: 'staff.folio.charge',
  activity: { category: 'desk', resourceKind: 'folio' },
  resource: 'fol',
  expect: Type.Object({ currency: Currency }, { additionalProperties: false }),
  args: Args,
  async read(
    { upstreams: { billing } }: ChargeIntentDeps,
    { resourceId, causationId, actor: { tenantId } },
    call,
  ): Promise<FolioWithCharge> {
    const folioId = resourceId as Id<'fol'>
    const options = { ...call, tenantId }
    const folio = await billing.getFolio({ params: { folioId } }, options).catch(passing([]))
    const charge = await billing
      .findCharge({ params: { folioId, causationId } }, options)
      .catch(asAbsent)
    return { folio, charge }
  },
  propertyOf: ({ folio }) => folio.propertyId,
  isOwn: ({ charge }) => charge !== null,
  done: () => null,
  unexpected({ folio }) {
    if (folio.status === 'open') return null
    return lastChange(folio)
  },
  /** A second factor needs a connection. */
  forbidden({ args: { amount }, expect: { currency } }, operator) {
    const isOver = exceedsLimit(operator, { amountMinor: amount, currency })
    return isOver ? 'MELMASTOON.SECURITY.STEP_UP_REQUIRED' : null
  },
  apply(deps, { resourceId, expect, args, causationId, actor }, call) {
    const { amount: amountMinor, category, description } = args
    const amount = { amountMinor, currency: expect.currency }
    const folioId = resourceId as Id<'fol'>
    return postCharge(deps, { folioId, amount, category, description, actor, causationId }, call)
  },
  rejections: CHARGE_PROBLEMS,
})
