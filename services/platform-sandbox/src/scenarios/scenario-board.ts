import type { UpstreamName } from '@melmastoon/upstream-contracts'
import type { Fault, FaultyPart, UpstreamPart } from './fault.ts'

export const WEBHOOK_DELIVERIES = ['prompt', 'late', 'lost', 'twice', 'reversed'] as const
export type WebhookDelivery = (typeof WEBHOOK_DELIVERIES)[number]

/** The current faults and the webhook delivery. Read on every call. */
export interface ScenarioBoard {
  faultFor(upstream: UpstreamName, operation: string): Fault | undefined
  /**
   * Uses up one call of a fault that is set for a number of calls. False: all were used, the fault
   * does not apply.
   */
  takeTurn(upstream: UpstreamName, operation: string): Promise<boolean>
  /** How webhooks are delivered from now on. */
  webhookDelivery(): WebhookDelivery
}

/**
 * Changes the settings. A change applies in this process when the promise resolves, in other
 * processes within a second, and survives restarts.
 */
export interface ScenarioControl extends ScenarioBoard {
  faultyParts(): readonly FaultyPart[]
  setFault(part: FaultyPart): Promise<void>
  /** Without an operation it restores the whole upstream, including faults of single operations. */
  restorePart(part: UpstreamPart): Promise<void>
  restoreAll(): Promise<void>
  setWebhookDelivery(delivery: WebhookDelivery): Promise<void>
}
