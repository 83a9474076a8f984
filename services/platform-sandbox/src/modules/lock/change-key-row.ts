import type { Tx } from '@melmastoon/chassis/db'
import type { confirmedChange } from './apply-result.ts'
import { type CredentialRow, updateCredential } from './credential-sql.ts'
import type { RequestRow } from './request-sql.ts'

export interface KeyAndRequest {
  readonly request: RequestRow
  /** Locked. */
  readonly credential: CredentialRow
}

/** The next version of the key; the same row when the action does not change it. */
export async function changeKey(
  tx: Tx,
  { request, credential }: KeyAndRequest,
  changeOf: typeof confirmedChange,
): Promise<CredentialRow> {
  const change = changeOf(request, credential)
  if (change === null) return credential
  const ref = { tenant: credential.tenant_id, key: credential.key_id }
  const by = { operator: request.operator_id, causation: request.causation_id }
  const [changed] = await tx.query(updateCredential({ ...ref, ...change }, by))
  if (changed === undefined) throw new TypeError('a locked key is missing')
  return changed
}
