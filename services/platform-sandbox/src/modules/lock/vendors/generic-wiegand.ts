import { readCode, type VendorCodes } from './code-table.ts'
import type { LockVendorSimulator } from './vendor.ts'

const CODES: VendorCodes = {
  done: '00',
  busy: '15',
  gateway_offline: 'A1',
  vendor_unreachable: 'A2',
  vendor_refused: '06',
  pin_collision_exhausted: '23',
  slots_full: '24',
  clock_error: '31',
  unknown_to_lock: '40',
}

/** A controller in the house: cards and codes, quick, and certain about its outcome. */
export const genericWiegand: LockVendorSimulator = {
  vendor: 'generic-wiegand',
  profile: {
    kinds: ['rfid_card', 'pin_code'],
    maxDelaySeconds: 30,
    commandsAtOnce: 4,
    commandMs: 15,
    slotsPerRoom: 40,
    offlineGateway: 'rejects',
  },
  respond: (result) => ({
    status: 200,
    body: { ack: result === 'done', code: CODES[result] },
  }),
  read: ({ body }) => {
    const { ack, code } = body
    return readCode(CODES, (ack === true) === (code === CODES.done) ? code : CODES.vendor_refused)
  },
}
