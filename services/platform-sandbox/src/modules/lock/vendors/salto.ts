import { readCode, type VendorCodes } from './code-table.ts'
import type { LockVendorSimulator, VendorResult } from './vendor.ts'

const CODES: VendorCodes = {
  done: 'OK',
  busy: 'IQ_BUSY',
  gateway_offline: 'IQ_OFFLINE',
  vendor_unreachable: 'SERVICE_UNAVAILABLE',
  vendor_refused: 'REQUEST_REJECTED',
  pin_collision_exhausted: 'PIN_NOT_UNIQUE',
  slots_full: 'LOCK_MEMORY_FULL',
  clock_error: 'INVALID_TIMESTAMP',
  unknown_to_lock: 'NOT_SYNCHRONISED',
}

/**
 * The cloud accepts rights for locks behind an IQ that is offline, and notices it after half an
 * hour.
 */
export const salto: LockVendorSimulator = {
  vendor: 'salto',
  profile: {
    kinds: ['mobile_app', 'rfid_card', 'pin_code'],
    maxDelaySeconds: 1_800,
    commandsAtOnce: 8,
    commandMs: 40,
    slotsPerRoom: 200,
    offlineGateway: 'late',
  },
  respond: (result) =>
    result === 'done'
      ? { status: 200, body: { State: CODES.done } }
      : { status: statusOf(result), body: { ErrorCode: CODES[result] } },
  read: ({ status, body }) =>
    readCode(CODES, status === 200 ? body['State'] : failureCode(body['ErrorCode'])),
}

function statusOf(result: VendorResult): number {
  if (result === 'busy') return 429
  return result === 'vendor_unreachable' ? 503 : 409
}

/** `OK` with an error status is not a success. */
function failureCode(code: unknown): unknown {
  return code === CODES.done ? CODES.vendor_refused : code
}
