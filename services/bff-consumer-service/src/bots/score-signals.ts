import { type SignalKind, THRESHOLDS, WEIGHTS } from './weights.ts'

/** Domain model §2.7. */
export interface BotSignal {
  readonly kind: SignalKind
  readonly weight: number
  /** Which line of the table of weights it is; never anything a visitor sent. */
  readonly detail: string
}

export type Verdict = 'human' | 'suspect' | 'bot'

export interface Scored {
  readonly score: number
  readonly verdict: Verdict
}

export function signal<K extends SignalKind>(kind: K, detail: keyof (typeof WEIGHTS)[K] & string) {
  const weights: Readonly<Record<string, number>> = WEIGHTS[kind]
  return { kind, weight: weights[detail] ?? 0, detail } satisfies BotSignal
}

/**
 * The chance that at least one of independent witnesses is right. It stays within 0 and 1, never
 * falls when a signal is added, and does not depend on their order.
 */
export function scoreSignals(signals: readonly BotSignal[]): Scored {
  const innocent = signals.reduce((rest, { weight }) => rest * (1 - bounded(weight)), 1)
  // As a column of type real keeps it, so that the row and the event say the same.
  const score = Math.fround(Math.min(1, Math.max(0, 1 - innocent)))
  return { score, verdict: verdictOf(score) }
}

function verdictOf(score: number): Verdict {
  if (score >= THRESHOLDS.bot) return 'bot'
  return score >= THRESHOLDS.suspect ? 'suspect' : 'human'
}

function bounded(weight: number): number {
  return weight > 0 ? Math.min(weight, 1) : 0
}
