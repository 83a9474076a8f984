import { LRUCache } from 'lru-cache'
import { isCrawler, isDevice, withoutDevice } from './crawlers.ts'

export type UserAgentKind =
  | 'browser'
  | 'library'
  | 'crawler'
  | 'headless'
  | 'missing'
  | 'oversized'
  | 'unknown'

export type Engine = 'chromium' | 'firefox' | 'safari'
export type System = 'windows' | 'macos' | 'linux' | 'android' | 'ios' | 'chromeos'

/** What a user agent declares. Nothing here verifies it. */
export interface UserAgent {
  readonly kind: UserAgentKind
  readonly engine: Engine | undefined
  readonly version: number
  readonly system: System | undefined
  /** Unchanged by an update of the browser, so that a session can be compared with its first. */
  readonly family: string
}

/** Browsers stay below 300. Longer ones are not parsed: patterns over a megabyte are expensive. */
const LENGTH_MAX = 512
const CACHED_MAX = 4_000

/** Programs and apps that declare what they are, including our own app. */
const LIBRARY = new RegExp(
  '^(?:curl|wget|httpie|python-requests|python-urllib|python-httpx|aiohttp|python|node|undici|' +
    'node-fetch|axios|got|okhttp|dart|go-http-client|java|apache-httpclient|ahc|ruby|rest-client|' +
    'faraday|guzzlehttp|php|libwww-perl|reqwest|postmanruntime|insomnia|expo|dalvik|melmastoon)(?:[/\\s(;]|$)',
  'i',
)
/** An app on a phone: `Name/1 CFNetwork/1 Darwin/1`. */
const APPLE_APP = /\bCFNetwork\/[\d.]+ Darwin\//
/** Feed readers and media players that a person runs: like libraries, assessed by their pace. */
const DESKTOP_APP =
  /^(?:Akregator|Downcast|FeedDemon|iTunes|Kodi|Liferea|mpv|NetNewsWire|newsbeuter|Pulp|ReadKit|RssBandit|RSSOwl|XBMC)\b|\b(?:NetNewsWire|QuiteRSS)\//
const HEADLESS =
  /headless|phantomjs|slimerjs|puppeteer|playwright|selenium|webdriver|cypress|electron-fetch/i

const ENGINES: readonly (readonly [Engine, RegExp])[] = [
  ['firefox', /\bFirefox\/(\d+)/],
  ['chromium', /\b(?:Chrome|Chromium)\/(\d+)/],
  ['safari', /\bVersion\/(\d+(?:\.\d+)?)[^)]*Safari\//],
  // A web view does not name the version of Safari: version 0 has no expected headers.
  ['safari', /\bAppleWebKit()/],
]
/**
 * Old phones, and browsers that render pages on a few servers for whole countries: Opera Mini, UC.
 * No header is expected of them.
 */
const OLD_BROWSER =
  /^(?:Opera|UCWEB)\/\d|^(?:Nokia|SAMSUNG-|SonyEricsson)\w|\bMSIE \d|\bTrident\/\d/
/** On iOS every browser uses the Safari of the system, whatever its own name and version. */
const IOS_VERSION = /\bOS (\d+)(?:_(\d+))?/

const SYSTEMS: readonly (readonly [System, RegExp])[] = [
  ['ios', /\b(?:iPhone|iPad|iPod)\b/],
  ['android', /\bAndroid\b/],
  ['chromeos', /\bCrOS\b/],
  ['windows', /\bWindows\b/],
  ['macos', /\bMacintosh\b/],
  ['linux', /\b(?:Linux|X11)\b/],
]

const cached = new LRUCache<string, UserAgent>({ max: CACHED_MAX })

export function parseUserAgent(userAgent: string): UserAgent {
  if (userAgent === '') return plain('missing')
  if (userAgent.length > LENGTH_MAX) return plain('oversized')
  const known = cached.get(userAgent)
  if (known !== undefined) return known
  const parsed = classify(userAgent)
  cached.set(userAgent, parsed)
  return parsed
}

function classify(userAgent: string): UserAgent {
  if (HEADLESS.test(withoutDevice(userAgent))) return plain('headless')
  if (isLibrary(userAgent)) return plain('library')
  if (isCrawler(userAgent)) return plain('crawler')
  return parseBrowser(userAgent) ?? plain('unknown')
}

function isLibrary(userAgent: string): boolean {
  return LIBRARY.test(userAgent) || APPLE_APP.test(userAgent) || DESKTOP_APP.test(userAgent)
}

function parseBrowser(userAgent: string): UserAgent | undefined {
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  if (OLD_BROWSER.test(userAgent)) return browser(undefined, 0, system)
  if (userAgent.startsWith('Mozilla/')) {
    if (system === 'ios') return browser('safari', iosVersionOf(userAgent), system)
    for (const [engine, pattern] of ENGINES) {
      const version = pattern.exec(userAgent)?.[1]
      if (version !== undefined) return browser(engine, Number(version), system)
    }
  }
  return isDevice(userAgent) ? browser(undefined, 0, system) : undefined
}

function iosVersionOf(userAgent: string): number {
  const [, major = '0', minor = '0'] = IOS_VERSION.exec(userAgent) ?? []
  return Number(`${major}.${minor}`)
}

function browser(
  engine: Engine | undefined,
  version: number,
  system: System | undefined,
): UserAgent {
  const family = `${engine ?? 'other'} on ${system ?? 'other'}`
  return { kind: 'browser', engine, version, system, family }
}

function plain(kind: UserAgentKind): UserAgent {
  return { kind, engine: undefined, version: 0, system: undefined, family: kind }
}
