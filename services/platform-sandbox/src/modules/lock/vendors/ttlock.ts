import { readCode, type VendorCodes } from './code-table.ts'
import type { LockVendorSimulator } from './vendor.ts'

const CODES: VendorCodes = {
  done: '0',
  busy: '-3003',
  gateway_offline: '-2012',
  vendor_unreachable: '-3002',
  vendor_refused: '-1',
  pin_collision_exhausted: '-3007',
  slots_full: '-3009',
  clock_error: '80000',
  unknown_to_lock: '-1003',
}

/** Always HTTP 200: only `errcode` tells a failure from a success. One command per gateway. */
export const ttlock: LockVendorSimulator = {
  vendor: 'ttlock',
  profile: {
    kinds: ['pin_code', 'mobile_app', 'rfid_card'],
    maxDelaySeconds: 120,
    commandsAtOnce: 1,
    commandMs: 60,
    slotsPerRoom: 100,
    offlineGateway: 'rejects',
  },
  respond: (result) => ({
    status: 200,
    body: { errcode: Number(CODES[result]), errmsg: result === 'done' ? 'none' : result },
  }),
  read: ({ body }) => readCode(CODES, body['errcode']),
}
