import { createHmac } from 'node:crypto'
import { idToUuid, type TenantId } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { CallOf } from '../../contract-handlers.ts'
import type { PaymentOperations } from './intent.ts'
import { requireMethod } from './list-methods.ts'
import { behaviourOfNumber, type Magic, type PhoneBehaviour, readPhoneRef } from './magic-values.ts'
import type { PaymentHost } from './payment-host.ts'
import { findPhoneRef, insertPhoneRef } from './phone-ref-sql.ts'

type Operation = PaymentOperations['tokenizePhone']

const REF_CHARS = 40

/** The number is used here only: it is not stored, logged or published. */
export async function tokenizePhone(
  host: PaymentHost,
  { body }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<OutputOf<Operation>> {
  const { tenantId } = call
  await requireMethod(host, tenantId, 'mobile_money')
  const phoneRef = refOfNumber(host.phoneKey, tenantId, body.phone)
  const row = { phone_ref: phoneRef, behaves_as: behaviourOfNumber(body.phone) }
  return await host.db.withTenant(tenantId, async (tx) => {
    await tx.query(insertPhoneRef(idToUuid(tenantId), row))
    return await call.finish(tx, { phoneRef })
  })
}

/** Of a test reference, or of a number that this hotel has tokenized. */
export async function findPhone(
  { db }: PaymentHost,
  tenantId: TenantId,
  phoneRef: string,
): Promise<Magic<PhoneBehaviour> | undefined> {
  const magic = readPhoneRef(phoneRef)
  if (magic !== undefined) return magic
  const [row] = await db.tenantQuery(tenantId, findPhoneRef(idToUuid(tenantId), phoneRef))
  return row === undefined ? undefined : readPhoneRef(row.behaves_as)
}

/** Keyed, because the few valid numbers could be tried one after the other against a plain hash. */
function refOfNumber(key: string, tenantId: TenantId, phone: string): string {
  const digest = createHmac('sha256', key).update(`payment-phone\n${tenantId}\n${phone}`)
  return `phone_${digest.digest('hex').slice(0, REF_CHARS)}`
}
