import type { CredentialRow, CredentialUpdate } from './credential-sql.ts'
import type { RequestRow, Undo } from './request-sql.ts'

type Change = Omit<CredentialUpdate, 'tenant' | 'key'>

/** The key after a confirmed action; null when it stays as it is. */
export function confirmedChange(request: RequestRow, key: CredentialRow): Change | null {
  if (key.state === 'revoked') return null
  const { rooms = key.rooms, validUntil = key.valid_until } = request.change
  return { state: request.action === 'revoke' ? 'revoked' : 'active', rooms, validUntil }
}

/** The key after a failed action, whose success may have been confirmed before. */
export function failedChange(request: RequestRow, key: CredentialRow): Change | null {
  if (request.action === 'issue') {
    return key.state === 'revoked' || key.state === 'failed'
      ? null
      : { ...same(key), state: 'failed' }
  }
  const { undo } = request
  if (request.state !== 'succeeded' || undo === null) return null
  if (request.action !== 'revoke' && key.state === 'revoked') return null
  return { state: undo.state, rooms: undo.rooms, validUntil: undo.validUntil }
}

export function undoOf({ state, rooms, valid_until }: CredentialRow): Undo {
  return { state, rooms, validUntil: valid_until.toISOString() }
}

function same({ state, rooms, valid_until: validUntil }: CredentialRow): Change {
  return { state, rooms, validUntil }
}
