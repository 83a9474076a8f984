import type { BOT_SIGNALS } from '../events/bot-events.ts'

/**
 * All that is known about telling programs from people, in one table. Each weight is how likely its
 * sign alone makes a program; together they count as independent witnesses.
 *
 * Two rules keep people out of it (false positives under 0.5 %). What an honest browser may come to
 * through no doing of its own (a proxy that strips headers, an address or a model of phone shared
 * with a whole town) stays under the threshold, alone and with others of its kind. And programs
 * that say what they are, such as curl or the library in our own app, are judged by their pace.
 */
export const THRESHOLDS = { suspect: 0.5, bot: 0.8 } as const

export const WEIGHTS = {
  'ua-pattern': {
    /** Drives a browser without a screen. */
    headless: 0.85,
    /** Says that it crawls. */
    crawler: 0.6,
    /** Says that it is a program: curl, okhttp, python-requests. */
    library: 0.3,
    missing: 0.3,
    /** Longer than any browser's. */
    oversized: 0.3,
    /** Nothing that any browser, app or library is known to send. */
    unknown: 0.15,
  },
  'header-anomaly': {
    /** The client hints name another browser or system than the user agent. */
    'hints-contradict': 0.35,
    /** The hints themselves say headless. */
    'hints-headless': 0.85,
    'no-accept': 0.15,
    'no-accept-language': 0.1,
    'no-accept-encoding': 0.15,
    /** A browser of this age tells how it came to ask; this one does not. */
    'no-sec-fetch': 0.12,
    /** HTTP/1.0 from a browser, with no proxy of ours between. */
    'old-protocol': 0.1,
    /** The session was begun by another kind of browser. */
    'session-other-browser': 0.2,
    /** And from another address: a cookie that was carried away. */
    'session-elsewhere': 0.4,
  },
  cadence: {
    /** Faster than anybody reads. */
    'guest-fast': 0.35,
    /** Faster than anybody clicks. */
    'guest-inhuman': 0.6,
    'fingerprint-fast': 0.15,
    'address-fast': 0.1,
  },
  'fingerprint-collision': {
    /** Sessions that begin under one address and fingerprint, one after the other. */
    'sessions-many': 0.15,
    'sessions-flood': 0.25,
    /** A booking link was used twice by one who looks like this, as do many others. */
    'handoff-replayed': 0.2,
    'handoff-replayed-often': 0.4,
  },
  recaptcha: {
    failed: 0.3,
    'failed-often': 0.6,
  },
} as const satisfies Record<(typeof BOT_SIGNALS)[number], Record<string, number>>

export type SignalKind = keyof typeof WEIGHTS

/** What is too fast, in requests of a minute; too many sessions, in ten minutes. */
export interface Paces {
  readonly guestFast: number
  readonly guestInhuman: number
  readonly fingerprintFast: number
  readonly addressFast: number
  readonly sessionsMany: number
  readonly sessionsFlood: number
}

export const PACES: Paces = {
  guestFast: 240,
  guestInhuman: 600,
  fingerprintFast: 1_500,
  addressFast: 6_000,
  sessionsMany: 60,
  sessionsFlood: 400,
}

/** From so many on it is no accident. */
export const OFTEN = { replays: 3, failures: 3 } as const
