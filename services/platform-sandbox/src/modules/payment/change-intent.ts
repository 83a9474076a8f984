import { problem } from '@melmastoon/domain'
import type { Intent } from '@melmastoon/upstream-contracts/payment'
import type { CallOf } from '../../contract-handlers.ts'
import { readAmount } from './amount.ts'
import { showIntent } from './get-intent.ts'
import type { PaymentOperations, StoredIntent } from './intent.ts'
import { readCardToken } from './magic-values.ts'
import { moveTaken, takeIntent } from './move-intent.ts'
import type { PaymentHost } from './payment-host.ts'
import type { Change } from './state-table.ts'

type Operation = PaymentOperations['captureIntent' | 'cancelIntent' | 'confirmCash']
type Params = { readonly paymentIntentId: StoredIntent['paymentIntentId'] }
type Amount = Parameters<typeof readAmount>[0]

export interface ChangeRequest {
  readonly params: Params
  readonly call: CallOf<Operation>
}

export async function captureIntent(
  host: PaymentHost,
  request: ChangeRequest,
  amount: Amount | undefined,
): Promise<Intent> {
  return await changeIntent(host, request, (intent) => {
    if (intent.status === 'authorized') rejectDeclined(intent)
    if (amount === undefined) return { move: 'capture' }
    return { move: 'capture', amountMicro: readAmount(amount, intent.currency) }
  })
}

export async function cancelIntent(
  host: PaymentHost,
  request: ChangeRequest,
  reasonCode: string,
): Promise<Intent> {
  return await changeIntent(host, request, () => ({ move: 'cancel', reasonCode }))
}

export async function confirmCash(host: PaymentHost, request: ChangeRequest): Promise<Intent> {
  return await changeIntent(host, request, () => ({ move: 'receive_cash' }))
}

async function changeIntent(
  host: PaymentHost,
  { params, call }: ChangeRequest,
  decide: (intent: StoredIntent) => Change,
): Promise<Intent> {
  const { tenantId, cause, locale } = call
  return await host.db.withTenant(tenantId, async (tx) => {
    const before = await takeIntent(tx, { tenantId, ...params })
    const moving = { registry: host.registry, cause }
    const after = await moveTaken(tx, before, { change: decide(before), moving })
    return await call.finish(tx, showIntent(host, after, locale))
  })
}

function rejectDeclined({ cardToken }: StoredIntent): void {
  const card = cardToken === null ? undefined : readCardToken(cardToken)
  const declineCode = card?.behaviour.captureDeclineCode
  if (declineCode === undefined) return
  throw problem('MELMASTOON.PAYMENT.DECLINED', { extensions: { declineCode } })
}
