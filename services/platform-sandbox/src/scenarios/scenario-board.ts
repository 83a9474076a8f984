import type { UpstreamName } from '@melmastoon/upstream-contracts'
import type { BrokenPart, Fault, UpstreamPart } from './fault.ts'

export const WEBHOOK_FATES = ['prompt', 'late', 'lost', 'twice', 'reversed'] as const
export type WebhookFate = (typeof WEBHOOK_FATES)[number]

/** What is broken just now, and what payment webhooks are to suffer. Read on every call. */
export interface ScenarioBoard {
  faultFor(upstream: UpstreamName, operation: string): Fault | undefined
  /** The fate of webhooks from now on. */
  webhookFate(): WebhookFate
}

/**
 * For whoever breaks and repairs. A change holds in this process when the promise resolves, in the
 * others within a second, and outlives them all.
 */
export interface ScenarioControl extends ScenarioBoard {
  brokenParts(): readonly BrokenPart[]
  breakPart(part: BrokenPart): Promise<void>
  /** Without an operation it repairs the whole upstream, also what was broken one by one. */
  mendPart(part: UpstreamPart): Promise<void>
  mendAll(): Promise<void>
  setWebhookFate(fate: WebhookFate): Promise<void>
}
