import type { KeyKind, LockFailure, LockVendor } from '@melmastoon/upstream-contracts/lock'

/** What a vendor reports about a command. */
export type VendorResult = 'done' | 'busy' | VendorFailure

export const VENDOR_FAILURES = [
  'vendor_unreachable',
  'vendor_refused',
  'pin_collision_exhausted',
  'gateway_offline',
  'slots_full',
  'clock_error',
  'unknown_to_lock',
] as const satisfies readonly LockFailure[]
export type VendorFailure = (typeof VENDOR_FAILURES)[number]

/** As on the wire. */
export interface VendorResponse {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A response after it has been read. */
export interface Reading {
  readonly result: VendorResult
  readonly vendorCode: string
}

export interface VendorProfile {
  readonly kinds: readonly [KeyKind, ...KeyKind[]]
  /** After this time a command without a confirmation has certainly had no effect. */
  readonly maxDelaySeconds: number
  readonly commandsAtOnce: number
  /** How long an ordinary command takes. */
  readonly commandMs: number
  readonly slotsPerRoom: number
  /** `late`: an offline gateway accepts commands, which fail after `maxDelaySeconds`. */
  readonly offlineGateway: 'rejects' | 'late'
}

/** One lock system. Vendors differ in limits and in the format of their responses only. */
export interface LockVendorSimulator {
  readonly vendor: LockVendor
  readonly profile: VendorProfile
  respond(result: VendorResult): VendorResponse
  /** A response that is not understood is a rejection, never a success. */
  read(response: VendorResponse): Reading
}
