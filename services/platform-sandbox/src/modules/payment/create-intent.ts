import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '@melmastoon/chassis/db'
import { normalizeKey } from '@melmastoon/chassis/idempotency'
import { idToUuid, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Intent } from '@melmastoon/upstream-contracts/payment'
import type { CallOf } from '../../contract-handlers.ts'
import { chargeChange } from './charge-change.ts'
import { fromRow, type PaymentOperations, type StoredIntent, toIntent } from './intent.ts'
import { findIntentByKey, insertIntent } from './intent-sql.ts'
import { requireMethod } from './list-methods.ts'
import { MAGIC_CARDS } from './magic-values.ts'
import { moveTaken } from './move-intent.ts'
import { hashSecret } from './page-links.ts'
import type { PaymentHost } from './payment-host.ts'
import { type IntentPlan, planIntent } from './plan-intent.ts'
import { findPhone } from './tokenize-phone.ts'

type Operation = PaymentOperations['createIntent']
type Call = CallOf<Operation>

/** Longer than any caller waits. */
const HANG_MS = 30_000

export async function createIntent(
  host: PaymentHost,
  { body }: InputOf<Operation>,
  call: Call,
): Promise<Intent> {
  const { tenantId } = call
  const { phoneRef } = body
  const phone = phoneRef === undefined ? undefined : await findPhone(host, tenantId, phoneRef)
  const { lateSeconds } = host
  const plan = planIntent(withScenario(body, call.scenario), { phone, lateSeconds })
  const provider = await requireMethod(host, tenantId, body.method)
  if (plan.transport.isLost) {
    if (plan.transport.hangs) await hang()
    throw problem('MELMASTOON.PAYMENT.GATEWAY_UNAVAILABLE')
  }
  const intent = await host.db.withTenant(tenantId, async (tx) => {
    const stored = await begin(tx, { host, call, plan, provider })
    const { locale } = call
    const { paymentIntentId } = stored
    const url = host.links.urlOf({ tenantId, paymentIntentId, locale })
    return await call.finish(tx, toIntent(stored, url))
  })
  if (plan.transport.hangs) await hang()
  return intent
}

interface Beginning {
  readonly host: PaymentHost
  readonly call: Call
  readonly plan: IntentPlan
  readonly provider: string
}

async function begin(tx: Tx, { host, call, plan, provider }: Beginning): Promise<StoredIntent> {
  const { tenantId, caller, cause } = call
  const { paymentIntentId, draft } = plan
  const key = requestKey(call.key)
  const row = {
    ...draft,
    provider,
    tenant: idToUuid(tenantId),
    intent: idToUuid(paymentIntentId),
    secretHash: hashSecret(host.links.secretOf(paymentIntentId)),
    caller,
    key,
  }
  const [inserted] = await tx.query(insertIntent(row))
  if (inserted === undefined) return await findEarlier(tx, row)
  const stored = fromRow(inserted)
  const change = plan.card === null ? null : chargeChange(stored, plan.card)
  if (change === null) return stored
  return await moveTaken(tx, stored, { change, moving: { registry: host.registry, cause } })
}

/** The stored response for this key has been pruned, the payment has not. */
async function findEarlier(tx: Tx, row: Parameters<typeof insertIntent>[0]): Promise<StoredIntent> {
  const [found] = await tx.query(findIntentByKey(row))
  const isSame =
    found?.draft_ref === row.draftRef &&
    found.method === row.method &&
    found.capture_mode === row.captureMode &&
    found.reservation_id === row.reservation &&
    found.amount_micro === row.amountMicro &&
    found.currency === row.currency
  if (found === undefined || !isSame) throw problem('MELMASTOON.IDEMPOTENCY.KEY_REUSED')
  return fromRow(found)
}

/** Normalized like in the idempotency layer, so that a lookup by the plain key finds it. */
export function requestKey(key: string): string {
  return normalizeKey([key]) ?? key
}

/** A card token in the scenario header replaces the card, for callers that have no token. */
function withScenario(body: InputOf<Operation>['body'], scenario: string | undefined) {
  if (scenario === undefined || body.method !== 'card') return body
  return Object.hasOwn(MAGIC_CARDS, scenario) ? { ...body, cardToken: scenario } : body
}

async function hang(): Promise<void> {
  await delay(HANG_MS, undefined, { ref: false })
}
