import type { SigningDevice } from '../staff/signing-device.ts'

/** An order for a room that is created, resolved and verified, again and again. */
export interface OrderCycle {
  readonly roomId: string
  workOrderId: string | null
  next: 'create' | 'resolve' | 'verify'
  isBusy: boolean
}

/** What the requests of one hotel name; read before the load starts. */
export interface Hotel {
  readonly propertyId: string
  readonly folios: readonly { readonly folioId: string; readonly currency: string }[]
  readonly stays: readonly string[]
  readonly alerts: readonly string[]
  readonly orders: readonly OrderCycle[]
}

/** One device with what it remembers between requests. */
export interface Staff {
  readonly device: SigningDevice
  readonly hotel: Hotel
  /** The path of the board that is open on it. */
  readonly board: string
  /** The delta cursors of its boards. */
  readonly cursors: Map<string, string>
  /** Counts its offline intents. */
  seq: number
}

/** The version of the preferences of an operator at a property, whichever device changed them. */
const preferenceVersions = new Map<string, number>()

const keyOf = ({ device, hotel }: Staff) => `${device.tokens.operatorId} ${hotel.propertyId}`

export function preferencesVersion(staff: Staff): number {
  return preferenceVersions.get(keyOf(staff)) ?? 0
}

export function keepPreferencesVersion(staff: Staff, version: number): void {
  preferenceVersions.set(keyOf(staff), version)
}

let turn = 0

/** Another one each time. */
export function pick<T>(items: readonly T[]): T | undefined {
  turn += 1
  return items[turn % Math.max(1, items.length)]
}
