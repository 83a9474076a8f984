import { type BotSignal, signal } from './score-signals.ts'
import type { System, UserAgent } from './user-agent.ts'

export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Sent {
  readonly headers: HeaderValues
  readonly httpVersion: string
  /** Behind a proxy the protocol is the proxy's. */
  readonly isDirect: boolean
}

/** Since when each engine tells how a request came about (Fetch Metadata). */
const SEC_FETCH_SINCE = { chromium: 80, firefox: 90, safari: 16.4 } as const

/** As `Sec-CH-UA-Platform` spells them. */
const HINTED_SYSTEMS: Readonly<Record<string, System>> = {
  Windows: 'windows',
  macOS: 'macos',
  Linux: 'linux',
  Android: 'android',
  iOS: 'ios',
  'Chrome OS': 'chromeos',
  'Chromium OS': 'chromeos',
}

/**
 * What is odd about the headers of somebody who claims to be a browser, or does not say. Programs
 * that say what they are need not look like one. Their order is not looked at: every proxy has its
 * own.
 */
export function readHeaders(agent: UserAgent, sent: Sent): BotSignal[] {
  if (agent.kind !== 'browser' && agent.kind !== 'missing' && agent.kind !== 'unknown') return []
  const { headers } = sent
  const signals: BotSignal[] = []
  if (!has(headers, 'accept')) signals.push(signal('header-anomaly', 'no-accept'))
  if (!has(headers, 'accept-language')) signals.push(signal('header-anomaly', 'no-accept-language'))
  if (!has(headers, 'accept-encoding')) signals.push(signal('header-anomaly', 'no-accept-encoding'))
  if (sent.isDirect && sent.httpVersion === '1.0') {
    signals.push(signal('header-anomaly', 'old-protocol'))
  }
  if (agent.kind === 'browser') signals.push(...readClaims(agent, headers))
  return signals
}

function readClaims(agent: UserAgent, headers: HeaderValues): BotSignal[] {
  const signals: BotSignal[] = []
  if (sendsFetchMetadata(agent) && !has(headers, 'sec-fetch-mode')) {
    signals.push(signal('header-anomaly', 'no-sec-fetch'))
  }
  const brands = textOf(headers, 'sec-ch-ua')
  if (brands === undefined) return signals
  if (/headless/i.test(brands)) signals.push(signal('header-anomaly', 'hints-headless'))
  else if (contradicts(agent, brands, headers)) {
    signals.push(signal('header-anomaly', 'hints-contradict'))
  }
  return signals
}

function sendsFetchMetadata({ engine, version }: UserAgent): boolean {
  return engine !== undefined && version >= SEC_FETCH_SINCE[engine]
}

/** Only Chromium sends hints, and they tell the version and the system once more. */
function contradicts(agent: UserAgent, brands: string, headers: HeaderValues): boolean {
  if (agent.engine !== 'chromium') return true
  const hinted = /"Chromium";\s*v="(\d{1,4})/.exec(brands)?.[1]
  if (hinted !== undefined && Number(hinted) !== agent.version) return true
  const platform = textOf(headers, 'sec-ch-ua-platform')?.replaceAll('"', '')
  const system = platform === undefined ? undefined : HINTED_SYSTEMS[platform]
  if (system === undefined || agent.system === undefined || system === agent.system) return false
  // "Desktop site" on a phone: the user agent turns into a desktop's, the platform may stay.
  return !(system === 'android' && agent.system === 'linux')
}

function has(headers: HeaderValues, name: string): boolean {
  const value = headers[name]
  return value !== undefined && value !== ''
}

function textOf(headers: HeaderValues, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.slice(0, 512) : undefined
}
