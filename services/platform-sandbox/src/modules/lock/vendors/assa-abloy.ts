import { readCode, type VendorCodes } from './code-table.ts'
import type { LockVendorSimulator } from './vendor.ts'

const CODES: VendorCodes = {
  done: 'completed',
  busy: 'operation-in-progress',
  gateway_offline: 'gateway-not-connected',
  vendor_unreachable: 'backend-timeout',
  vendor_refused: 'invalid-operation',
  pin_collision_exhausted: 'credential-conflict',
  slots_full: 'credential-limit-reached',
  clock_error: 'clock-skew',
  unknown_to_lock: 'delivery-failed',
}

/** Cards and phones only. The outcome is in the status of the operation. */
export const assaAbloy: LockVendorSimulator = {
  vendor: 'assa-abloy',
  profile: {
    kinds: ['mobile_app', 'rfid_card'],
    maxDelaySeconds: 300,
    commandsAtOnce: 16,
    commandMs: 30,
    slotsPerRoom: 500,
    offlineGateway: 'rejects',
  },
  respond: (result) =>
    result === 'done'
      ? { status: 201, body: { operation: { status: CODES.done } } }
      : { status: 422, body: { operation: { status: 'failed', error: CODES[result] } } },
  read: ({ status, body }) => {
    const operation = operationOf(body['operation'])
    const isDone = status === 201 && operation['status'] === CODES.done
    return readCode(CODES, isDone ? CODES.done : errorOf(operation['error']))
  },
}

function operationOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function errorOf(error: unknown): unknown {
  return error === CODES.done ? CODES.vendor_refused : error
}
