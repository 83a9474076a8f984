import { readHeaders, type Sent } from './read-headers.ts'
import { type BotSignal, signal } from './score-signals.ts'
import { parseUserAgent, type UserAgent } from './user-agent.ts'
import { OFTEN, type Paces } from './weights.ts'

export interface Traits extends Sent {
  readonly userAgent: string
}

/** What one request shows by itself. */
export function readSignals({ userAgent, ...sent }: Traits): BotSignal[] {
  const agent = parseUserAgent(userAgent)
  return [...agentSignals(agent), ...readHeaders(agent, sent)]
}

function agentSignals({ kind }: UserAgent): BotSignal[] {
  return kind === 'browser' ? [] : [signal('ua-pattern', kind)]
}

/** What is remembered of a visitor beyond this request. Nothing, while Redis is away. */
export interface Conduct {
  /** Requests within a minute. */
  readonly guestPace: number
  readonly fingerprintPace: number
  readonly addressPace: number
  /** Sessions within ten minutes. */
  readonly mints: number
  readonly replays: number
  readonly failures: number
  readonly home: 'same' | 'other-browser' | 'elsewhere'
}

export function recordSignals(record: Conduct, paces: Paces): BotSignal[] {
  return [...paceSignals(record, paces), ...conductSignals(record, paces)]
}

function paceSignals(record: Conduct, paces: Paces): BotSignal[] {
  const { guestPace, fingerprintPace, addressPace } = record
  const signals: BotSignal[] = []
  if (guestPace > paces.guestInhuman) signals.push(signal('cadence', 'guest-inhuman'))
  else if (guestPace > paces.guestFast) signals.push(signal('cadence', 'guest-fast'))
  if (fingerprintPace > paces.fingerprintFast) signals.push(signal('cadence', 'fingerprint-fast'))
  if (addressPace > paces.addressFast) signals.push(signal('cadence', 'address-fast'))
  return signals
}

function conductSignals({ mints, replays, failures, home }: Conduct, paces: Paces): BotSignal[] {
  const signals: BotSignal[] = []
  const collision = 'fingerprint-collision'
  if (mints > paces.sessionsFlood) signals.push(signal(collision, 'sessions-flood'))
  else if (mints > paces.sessionsMany) signals.push(signal(collision, 'sessions-many'))
  if (replays >= OFTEN.replays) signals.push(signal(collision, 'handoff-replayed-often'))
  else if (replays > 0) signals.push(signal(collision, 'handoff-replayed'))
  if (failures >= OFTEN.failures) signals.push(signal('recaptcha', 'failed-often'))
  else if (failures > 0) signals.push(signal('recaptcha', 'failed'))
  if (home === 'elsewhere') signals.push(signal('header-anomaly', 'session-elsewhere'))
  else if (home === 'other-browser') signals.push(signal('header-anomaly', 'session-other-browser'))
  return signals
}
