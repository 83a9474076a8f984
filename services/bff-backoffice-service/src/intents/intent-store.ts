import type { TimeLimit } from '@melmastoon/chassis/clock'
import type { Id, OperatorId, PropertyId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { Activity } from '../activity/activity.ts'
import type { LastContact } from './device-clock.ts'
import type { DeviceRef, Verdict } from './intent.ts'

/** An intent as it is claimed for the first time. */
export interface NewIntent extends DeviceRef {
  readonly intentId: Id<'int'>
  readonly operatorId: OperatorId
  /** `unknown` where the device sent no known name. */
  readonly name: string
  readonly resourceId: string | null
  readonly seq: number
  readonly contentHash: string
  readonly bootId: string
  readonly occurredAt: Date | null
  readonly clockSuspect: boolean
  readonly receivedAt: Date
}

/** What was stored by the first attempt holds for all others. */
export interface StoredIntent extends NewIntent {
  /** 0: it has to wait. */
  readonly attempt: number
  readonly propertyId: PropertyId | null
  /** Null: not decided yet. */
  readonly verdict: Verdict | null
}

/**
 * `busy`: another attempt is at work, or an earlier intent of the device on the same resource is
 * not decided. `reused`: the id belongs to an intent with other content.
 */
export type ClaimResult =
  | { readonly kind: 'claimed'; readonly stored: StoredIntent }
  | { readonly kind: 'decided'; readonly stored: StoredIntent }
  | { readonly kind: 'busy' }
  | { readonly kind: 'reused' }

/** `held`: it is stored, and has no verdict. */
export type HoldResult =
  | { readonly kind: 'held'; readonly stored: StoredIntent }
  | Exclude<ClaimResult, { readonly kind: 'claimed' }>

export interface Decision {
  readonly verdict: Verdict
  readonly propertyId: PropertyId | null
  readonly decidedAt: Date
  readonly activity: Activity
  readonly event: OutboxEvent
}

/** One verdict per tenant, device and intent, which never changes. */
export interface IntentStore {
  /** How long a claim lasts: after that another attempt may begin. */
  readonly leaseMs: number
  claim(intent: NewIntent, deadline: TimeLimit): Promise<ClaimResult>
  /** Stores that an intent has arrived which cannot be attempted yet. */
  hold(intent: NewIntent, deadline: TimeLimit): Promise<HoldResult>
  /**
   * Verdict, activity and event together, or nothing: then another attempt has claimed the intent
   * since, and false is returned.
   */
  decide(claimed: StoredIntent, decision: Decision, deadline: TimeLimit): Promise<boolean>
  /** The outcome is not known: the next attempt need not wait. */
  release(claimed: StoredIntent, deadline: TimeLimit): Promise<void>
  find(device: DeviceRef, intentId: Id<'int'>, deadline: TimeLimit): Promise<StoredIntent | null>
  lastContact(device: DeviceRef, deadline: TimeLimit): Promise<LastContact | null>
}
