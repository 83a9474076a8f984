import { type BotSignal, signal } from './scoring.ts'
import { parseUserAgent, type System, type UserAgent, type UserAgentKind } from './user-agent.ts'

export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

/** The part of a request that bot detection evaluates. */
export interface RequestTraits {
  readonly userAgent: string
  readonly headers: HeaderValues
  readonly httpVersion: string
  /** Behind a proxy the protocol version is the proxy's. */
  readonly isDirect: boolean
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

const EVALUATED: ReadonlySet<UserAgentKind> = new Set(['browser', 'missing', 'unknown'])

/** The first version of each engine that sends Fetch Metadata. */
const SEC_FETCH_SINCE = { chromium: 80, firefox: 90, safari: 16.4 } as const

/** Values of `Sec-CH-UA-Platform`. */
const HINTED_SYSTEMS: Readonly<Record<string, System>> = {
  Windows: 'windows',
  macOS: 'macos',
  Linux: 'linux',
  Android: 'android',
  iOS: 'ios',
  'Chrome OS': 'chromeos',
  'Chromium OS': 'chromeos',
}

export function requestSignals(traits: RequestTraits): BotSignal[] {
  const userAgent = parseUserAgent(traits.userAgent)
  return [...userAgentSignals(userAgent), ...headerSignals(userAgent, traits)]
}

function userAgentSignals({ kind }: UserAgent): BotSignal[] {
  return kind === 'browser' ? [] : [signal('ua-pattern', kind)]
}

/**
 * Anomalies in the headers of a client that claims to be a browser or does not declare what it is.
 * Programs that declare what they are need not send the headers of a browser. The order of headers
 * is not evaluated: proxies change it.
 */
function headerSignals(userAgent: UserAgent, traits: RequestTraits): BotSignal[] {
  if (!EVALUATED.has(userAgent.kind)) return []
  const { headers } = traits
  const signals: BotSignal[] = []
  if (!has(headers, 'accept')) signals.push(signal('header-anomaly', 'no-accept'))
  if (!has(headers, 'accept-language')) signals.push(signal('header-anomaly', 'no-accept-language'))
  if (!has(headers, 'accept-encoding')) signals.push(signal('header-anomaly', 'no-accept-encoding'))
  if (traits.isDirect && traits.httpVersion === '1.0') {
    signals.push(signal('header-anomaly', 'old-protocol'))
  }
  if (userAgent.kind === 'browser') signals.push(...browserSignals(userAgent, headers))
  return signals
}

function browserSignals(userAgent: UserAgent, headers: HeaderValues): BotSignal[] {
  const signals: BotSignal[] = []
  if (sendsFetchMetadata(userAgent) && !has(headers, 'sec-fetch-mode')) {
    signals.push(signal('header-anomaly', 'no-sec-fetch'))
  }
  const brands = textOf(headers, 'sec-ch-ua')
  if (brands === undefined) return signals
  if (/headless/i.test(brands)) signals.push(signal('header-anomaly', 'hints-headless'))
  else if (contradicts(userAgent, brands, headers)) {
    signals.push(signal('header-anomaly', 'hints-contradict'))
  }
  return signals
}

function sendsFetchMetadata({ engine, version }: UserAgent): boolean {
  return engine !== undefined && version >= SEC_FETCH_SINCE[engine]
}

/** Only Chromium sends client hints; they repeat the version and the system. */
function contradicts(userAgent: UserAgent, brands: string, headers: HeaderValues): boolean {
  if (userAgent.engine !== 'chromium') return true
  const hinted = /"Chromium";\s*v="(\d{1,4})/.exec(brands)?.[1]
  if (hinted !== undefined && Number(hinted) !== userAgent.version) return true
  const platform = textOf(headers, 'sec-ch-ua-platform')?.replaceAll('"', '')
  const system = platform === undefined ? undefined : HINTED_SYSTEMS[platform]
  const declared = userAgent.system
  if (system === undefined || declared === undefined || system === declared) return false
  // "Desktop site" on a phone changes the user agent to a desktop's, but not always the platform.
  return !(system === 'android' && declared === 'linux')
}

function has(headers: HeaderValues, name: string): boolean {
  const value = headers[name]
  return value !== undefined && value !== ''
}

function textOf(headers: HeaderValues, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.slice(0, 512) : undefined
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
