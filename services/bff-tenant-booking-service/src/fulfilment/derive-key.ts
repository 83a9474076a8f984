import { createHmac } from 'node:crypto'
import type { DraftId, TenantId } from '@melmastoon/domain'
import type { KeyRing } from '@melmastoon/security'

/** Of one draft; `n` grows only after a definite rejection. */
export interface KeyStep {
  readonly tenantId: TenantId
  readonly draftId: DraftId
  readonly step: string
  readonly n: number
}

/**
 * The idempotency key of one upstream call. It is stored before the call and read from the row
 * afterwards, so that a rotation of the signing key does not change it (PAY-30).
 */
export function deriveKey(keys: KeyRing, { tenantId, draftId, step, n }: KeyStep): string {
  return createHmac('sha256', keys.active.key)
    .update([tenantId, draftId, step, String(n)].join('\u0000'))
    .digest('base64url')
}
