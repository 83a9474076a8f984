import { idToUuid, type Locale, problem } from '@melmastoon/domain'
import type { Intent } from '@melmastoon/upstream-contracts/payment'
import { requestKey } from './create-intent.ts'
import { fromRow, type IntentRow, type StoredIntent, toIntent } from './intent.ts'
import { findIntent, findIntentByKey } from './intent-sql.ts'
import { type IntentKey, refOf } from './move-intent.ts'
import type { PaymentHost } from './payment-host.ts'

export async function getIntent(
  host: PaymentHost,
  key: IntentKey,
  locale: Locale,
): Promise<Intent> {
  const [row] = await host.db.tenantQuery(key.tenantId, findIntent(refOf(key)))
  return showIntent(host, found(row), locale)
}

export interface KeyLookup {
  readonly tenantId: IntentKey['tenantId']
  readonly caller: string
  readonly key: string
}

/** Not found means: not yet. A concurrent request may still create it. */
export async function getByKey(
  host: PaymentHost,
  { tenantId, caller, key }: KeyLookup,
  locale: Locale,
): Promise<Intent> {
  const ref = { tenant: idToUuid(tenantId), caller, key: requestKey(key) }
  const [row] = await host.db.tenantQuery(tenantId, findIntentByKey(ref))
  return showIntent(host, found(row), locale)
}

/** As shown to the caller, with the URL of the page while the payer has to act there. */
export function showIntent(host: PaymentHost, stored: StoredIntent, locale: Locale): Intent {
  return toIntent(stored, host.links.urlOf({ ...stored, locale }))
}

function found(row: IntentRow | undefined): StoredIntent {
  if (row === undefined) throw problem('MELMASTOON.PAYMENT.INTENT_NOT_FOUND')
  return fromRow(row)
}
