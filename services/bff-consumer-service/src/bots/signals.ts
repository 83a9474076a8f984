import { headerSignals, type ReceivedHeaders } from './header-signals.ts'
import { type BotSignal, signal } from './scoring.ts'
import { parseUserAgent, type UserAgent } from './user-agent.ts'

/** The part of a request that bot detection evaluates. */
export interface RequestTraits extends ReceivedHeaders {
  readonly userAgent: string
}

/** What all processes recorded of a visitor; zeros while Redis is unavailable. */
export interface VisitorHistory {
  /** Requests per minute. */
  readonly guestPace: number
  readonly fingerprintPace: number
  readonly addressPace: number
  /** Sessions started within ten minutes. */
  readonly newSessions: number
  /** Booking links that were used twice. */
  readonly replays: number
  /** Failed challenges. */
  readonly failures: number
  /** Where the session is used, compared with its first use. */
  readonly origin: 'same' | 'other-browser' | 'elsewhere'
}

/** Above these a pace is a signal: requests per minute, sessions per ten minutes. */
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

/** From this number on, repetition counts as intent. */
const OFTEN = { replays: 3, failures: 3 } as const

export function requestSignals({ userAgent, ...received }: RequestTraits): BotSignal[] {
  const parsed = parseUserAgent(userAgent)
  return [...userAgentSignals(parsed), ...headerSignals(parsed, received)]
}

function userAgentSignals({ kind }: UserAgent): BotSignal[] {
  return kind === 'browser' ? [] : [signal('ua-pattern', kind)]
}

export function historySignals(history: VisitorHistory, paces: Paces): BotSignal[] {
  return [...paceSignals(history, paces), ...conductSignals(history, paces)]
}

function paceSignals(history: VisitorHistory, paces: Paces): BotSignal[] {
  const { guestPace, fingerprintPace, addressPace } = history
  const signals: BotSignal[] = []
  if (guestPace > paces.guestInhuman) signals.push(signal('cadence', 'guest-inhuman'))
  else if (guestPace > paces.guestFast) signals.push(signal('cadence', 'guest-fast'))
  if (fingerprintPace > paces.fingerprintFast) signals.push(signal('cadence', 'fingerprint-fast'))
  if (addressPace > paces.addressFast) signals.push(signal('cadence', 'address-fast'))
  return signals
}

function conductSignals(history: VisitorHistory, paces: Paces): BotSignal[] {
  const { newSessions, replays, failures, origin } = history
  const signals: BotSignal[] = []
  const collision = 'fingerprint-collision'
  if (newSessions > paces.sessionsFlood) signals.push(signal(collision, 'sessions-flood'))
  else if (newSessions > paces.sessionsMany) signals.push(signal(collision, 'sessions-many'))
  if (replays >= OFTEN.replays) signals.push(signal(collision, 'handoff-replayed-often'))
  else if (replays > 0) signals.push(signal(collision, 'handoff-replayed'))
  if (failures >= OFTEN.failures) signals.push(signal('recaptcha', 'failed-often'))
  else if (failures > 0) signals.push(signal('recaptcha', 'failed'))
  if (origin === 'elsewhere') signals.push(signal('header-anomaly', 'session-elsewhere'))
  if (origin === 'other-browser') signals.push(signal('header-anomaly', 'session-other-browser'))
  return signals
}
