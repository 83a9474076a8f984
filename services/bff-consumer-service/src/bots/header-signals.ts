import { type BotSignal, signal } from './scoring.ts'
import type { System, UserAgent, UserAgentKind } from './user-agent.ts'

export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

export interface ReceivedHeaders {
  readonly headers: HeaderValues
  readonly httpVersion: string
  /** Behind a proxy the protocol version is the proxy's. */
  readonly isDirect: boolean
}

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

/**
 * Anomalies in the headers of a client that claims to be a browser or does not declare what it is.
 * Programs that declare what they are need not send the headers of a browser. The order of headers
 * is not evaluated: proxies change it.
 */
export function headerSignals(userAgent: UserAgent, received: ReceivedHeaders): BotSignal[] {
  if (!EVALUATED.has(userAgent.kind)) return []
  const { headers } = received
  const signals: BotSignal[] = []
  if (!has(headers, 'accept')) signals.push(signal('header-anomaly', 'no-accept'))
  if (!has(headers, 'accept-language')) signals.push(signal('header-anomaly', 'no-accept-language'))
  if (!has(headers, 'accept-encoding')) signals.push(signal('header-anomaly', 'no-accept-encoding'))
  if (received.isDirect && received.httpVersion === '1.0') {
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
