/** The lock systems that hotels have. */
export const LOCK_VENDORS = ['ttlock', 'salto', 'assa-abloy', 'generic-wiegand'] as const
export type LockVendor = (typeof LOCK_VENDORS)[number]

export const KEY_KINDS = ['mobile_app', 'pin_code', 'rfid_card', 'qr_code', 'nfc_tag'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

/** `pending`: the vendor has accepted the command and has not confirmed it. */
export const KEY_STATES = [
  'requested',
  'pending',
  'active',
  'suspended',
  'revoked',
  'failed',
] as const
export type KeyState = (typeof KEY_STATES)[number]

export const LOCK_ACTIONS = ['issue', 'revoke', 'rebind', 'extend'] as const
export type LockAction = (typeof LOCK_ACTIONS)[number]

export const REVOKE_REASONS = ['checkout', 'cancellation', 'security', 'lost', 'replaced'] as const
export type RevokeReason = (typeof REVOKE_REASONS)[number]

/** `accepted` is open; the two others are final, unless a vendor contradicts itself. */
export const LOCK_REQUEST_STATES = ['accepted', 'succeeded', 'failed'] as const
export type LockRequestState = (typeof LOCK_REQUEST_STATES)[number]

export const LOCK_FAILURES = [
  'vendor_unreachable',
  'vendor_refused',
  /** Every code that the vendor tried is already in use at the lock. */
  'pin_collision_exhausted',
  'no_capable_device',
  'kind_unsupported',
  /** The credential was revoked while it was being issued. */
  'cancelled_mid_flight',
  'gateway_offline',
  /** The lock has no memory for another credential. */
  'slots_full',
  /** The clocks of the caller and of the vendor differ too much. */
  'clock_error',
  /** The vendor has confirmed the credential, but the lock does not have it. */
  'unknown_to_lock',
] as const
export type LockFailure = (typeof LOCK_FAILURES)[number]
