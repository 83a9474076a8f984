import { type RoomId, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type {
  KeyCredential,
  KeyCredentialDetail,
  LockRequest,
  lockContract,
} from '@melmastoon/upstream-contracts/lock'
import type { CredentialRow, VersionRow } from './credential-sql.ts'
import type { RequestRow } from './request-sql.ts'

export type LockOperations = (typeof lockContract)['operations']

export function toCredential(row: CredentialRow): KeyCredential {
  return {
    keyId: uuidToId('key', row.key_id),
    propertyId: uuidToId('ppt', row.property_id),
    reservationId: uuidToId('rsv', row.reservation_id),
    rooms: toRooms(row.rooms),
    kind: row.kind,
    state: row.state,
    vendor: row.vendor,
    validFrom: toIsoDateTime(row.valid_from),
    validUntil: toIsoDateTime(row.valid_until),
    version: row.version,
    updatedAt: toIsoDateTime(row.updated_at),
    ...(row.request_id !== null && { requestId: row.request_id }),
  }
}

export function toDetail(row: CredentialRow, versions: readonly VersionRow[]): KeyCredentialDetail {
  const history = versions.map(({ version, state, at, operator_id, causation_id }) => ({
    version,
    status: state,
    at: toIsoDateTime(at),
    ...(operator_id !== null && { operatorId: uuidToId('opr', operator_id) }),
    ...(causation_id !== null && { causationId: causation_id }),
  }))
  return { ...toCredential(row), history }
}

export function toRequest(row: RequestRow, credential: CredentialRow): LockRequest {
  const { failure_reason: failureReason, vendor_code: vendorCode } = row
  return {
    requestId: row.request_id,
    action: row.action,
    state: row.state,
    credential: toCredential(credential),
    ...(failureReason !== null && { failureReason }),
    ...(vendorCode !== null && { vendorCode }),
    vendorLatencyMs: row.vendor_latency_ms,
    at: toIsoDateTime(row.changed_at),
  }
}

function toRooms(rooms: readonly string[]): RoomId[] {
  return rooms.map((room) => uuidToId('rmu', room))
}
