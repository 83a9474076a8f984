import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import { type Id, type Money, minorToMicro, type ProblemCode } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { billingContract, ChargeCategory, Folio } from '@melmastoon/upstream-contracts/billing'
import { type Operator, requireProperty } from '../access/operator.ts'
import {
  type ChangeCall,
  changeBody,
  passing,
  type StaffChange,
} from '../upstreams/staff-change.ts'

export interface ChargeDeps {
  readonly upstreams: {
    readonly billing: Pick<ClientOf<typeof billingContract>, 'getFolio' | 'postCharge'>
  }
}

export const CHARGE_PROBLEMS = [
  'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
  'MELMASTOON.BILLING.FOLIO_CLOSED',
  'MELMASTOON.BILLING.VERSION_CONFLICT',
  'MELMASTOON.BILLING.CURRENCY_MISMATCH',
  'MELMASTOON.BILLING.NEGATIVE_AMOUNT',
] as const satisfies readonly ProblemCode[]

/** What an operator confirms with a second factor before a charge over their limit. */
export const chargePurpose = (folioId: Id<'fol'>) => ({
  action: 'folio.charge',
  resourceKind: 'folio',
  resourceId: folioId,
})

/** An amount in another currency cannot be compared with the limit: it counts as larger. */
export function exceedsLimit({ chargeLimit }: Pick<Operator, 'chargeLimit'>, amount: Money) {
  if (chargeLimit === undefined) return false
  if (chargeLimit.currency !== amount.currency) return true
  return minorToMicro(amount) > BigInt(chargeLimit.amountMicro)
}

/** @throws Problem RESOURCE_NOT_FOUND, also for a folio of a property out of scope. */
export async function requireFolio(
  { upstreams }: ChargeDeps,
  { operator, folioId }: { readonly operator: Operator; readonly folioId: Id<'fol'> },
  call: UpstreamCall,
): Promise<Folio> {
  const { tenantId } = operator
  const folio = await upstreams.billing
    .getFolio({ params: { folioId } }, { ...call, tenantId })
    .catch(passing([]))
  requireProperty(operator, folio.propertyId)
  return folio
}

export interface NewCharge extends StaffChange {
  readonly folioId: Id<'fol'>
  readonly amount: Money
  readonly category: ChargeCategory
  readonly description: string
}

type Posted = OutputOf<(typeof billingContract)['operations']['postCharge']>

/** Requires that scope and limit were checked. */
export async function postCharge(
  { upstreams }: ChargeDeps,
  charge: NewCharge,
  call: ChangeCall,
): Promise<Posted> {
  const { folioId, amount, category, description, actor } = charge
  const { currency } = amount
  const money = { amountMicro: minorToMicro(amount).toString(), currency }
  const body = { amount: money, category, description, ...changeBody(charge) }
  return await upstreams.billing
    .postCharge({ params: { folioId }, body }, { ...call, tenantId: actor.tenantId })
    .catch(passing(CHARGE_PROBLEMS))
}
