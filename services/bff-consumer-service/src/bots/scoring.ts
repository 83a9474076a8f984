import type { BOT_SIGNALS } from '../events/bot-events.ts'

/**
 * All weights and thresholds of bot detection. A weight is the probability that a visitor with this
 * signal alone is a program; signals are combined as if they were independent.
 * Two rules keep false positives below 0.1 % in every class of device. What an honest browser
 * cannot avoid (a proxy that strips headers, an address or a phone model shared with a whole town)
 * stays below the threshold, alone and combined with others of its kind. Programs that declare what
 * they are, such as curl or the library in our own app, are assessed by their pace.
 */
export const THRESHOLDS = { suspect: 0.5, bot: 0.8 } as const

export const WEIGHTS = {
  'ua-pattern': {
    /** Controls a browser without a screen. */
    headless: 0.85,
    /** Declares itself as a crawler. */
    crawler: 0.6,
    /** Declares itself as a program: curl, okhttp, python-requests. */
    library: 0.3,
    missing: 0.3,
    /** Longer than the user agent of any browser. */
    oversized: 0.3,
    /** Matches no known browser, app or library. */
    unknown: 0.15,
  },
  'header-anomaly': {
    /** The client hints name another browser or system than the user agent. */
    'hints-contradict': 0.35,
    /** The client hints name a headless browser. */
    'hints-headless': 0.85,
    'no-accept': 0.15,
    'no-accept-language': 0.1,
    'no-accept-encoding': 0.15,
    /** A browser of this version sends Fetch Metadata; this one did not. */
    'no-sec-fetch': 0.12,
    /** HTTP/1.0 from a browser, without a proxy of ours in between. */
    'old-protocol': 0.1,
    /** The session was started by another family of browser. */
    'session-other-browser': 0.2,
    /** And from another address: the cookie may have been copied. */
    'session-elsewhere': 0.4,
  },
  cadence: {
    /** Faster than a person reads. */
    'guest-fast': 0.35,
    /** Faster than a person clicks. */
    'guest-inhuman': 0.6,
    'fingerprint-fast': 0.15,
    'address-fast': 0.1,
  },
  'fingerprint-collision': {
    /** Many sessions started from one address with one fingerprint. */
    'sessions-many': 0.15,
    'sessions-flood': 0.25,
    /** A booking link was used twice with this fingerprint, which many visitors share. */
    'handoff-replayed': 0.2,
    'handoff-replayed-often': 0.4,
  },
  recaptcha: {
    failed: 0.3,
    'failed-often': 0.6,
  },
} as const satisfies Record<(typeof BOT_SIGNALS)[number], Record<string, number>>

export type SignalKind = keyof typeof WEIGHTS

export interface BotSignal {
  readonly kind: SignalKind
  readonly weight: number
  /** The key in the table of weights; never anything a visitor sent. */
  readonly detail: string
}

export type Verdict = 'human' | 'suspect' | 'bot'

export interface BotScore {
  readonly score: number
  readonly verdict: Verdict
}

export function signal<K extends SignalKind>(kind: K, detail: keyof (typeof WEIGHTS)[K] & string) {
  const weights: Readonly<Record<string, number>> = WEIGHTS[kind]
  return { kind, weight: weights[detail] ?? 0, detail } satisfies BotSignal
}

/**
 * The probability that at least one of independent signals is right. It stays within 0 and 1, never
 * decreases when a signal is added, and does not depend on their order.
 */
export function scoreSignals(signals: readonly BotSignal[]): BotScore {
  const human = signals.reduce((product, { weight }) => product * (1 - clamp(weight)), 1)
  // With the precision of a `real` column, so that the row and the event have the same value.
  const score = Math.fround(Math.min(1, Math.max(0, 1 - human)))
  return { score, verdict: verdictOf(score) }
}

function verdictOf(score: number): Verdict {
  if (score >= THRESHOLDS.bot) return 'bot'
  return score >= THRESHOLDS.suspect ? 'suspect' : 'human'
}

function clamp(weight: number): number {
  return weight > 0 ? Math.min(weight, 1) : 0
}
