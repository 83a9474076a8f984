import type { UpstreamName } from '@melmastoon/upstream-contracts'

export const FAULT_KINDS = ['down', 'slow', 'hanging', 'lying', 'flaky'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** How an upstream misbehaves until somebody mends it. */
export interface Fault {
  readonly upstream: UpstreamName
  /** One operation by its name, or all of them. */
  readonly operation: string | null
  readonly kind: FaultKind
  /** For `slow`. */
  readonly delayMs: number
  /** For `flaky`: how many of a hundred calls fail. */
  readonly failPercent: number
}

/** What is broken just now, and what payment webhooks are to suffer. Read on every call. */
export interface ScenarioBoard {
  faultFor(upstream: UpstreamName, operation: string): Fault | undefined
  /** The fate of webhooks from now on. */
  webhookFate(): 'prompt' | 'late' | 'lost' | 'twice'
}
