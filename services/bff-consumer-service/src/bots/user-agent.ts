import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

export type AgentKind =
  | 'browser'
  | 'library'
  | 'crawler'
  | 'headless'
  | 'missing'
  | 'oversized'
  | 'unknown'

export type Engine = 'chromium' | 'firefox' | 'safari'
export type System = 'windows' | 'macos' | 'linux' | 'android' | 'ios' | 'chromeos'

/** What a user agent says of itself; whether it is true is another matter. */
export interface Agent {
  readonly kind: AgentKind
  readonly engine: Engine | undefined
  readonly version: number
  readonly system: System | undefined
  /** The same after an update of the browser, so that a session is not strange to its own owner. */
  readonly family: string
}

/** Browsers stay under 300. Beyond it nothing is read: a pattern over a megabyte is a gift. */
const LENGTH_MAX = 512
const KNOWN_MAX = 4_000

/** Programs and apps that say what they are, our own among them; isbot would count them, too. */
const LIBRARY = new RegExp(
  '^(?:curl|wget|httpie|python-requests|python-urllib|python-httpx|aiohttp|python|node|undici|' +
    'node-fetch|axios|got|okhttp|dart|go-http-client|java|apache-httpclient|ahc|ruby|rest-client|' +
    'faraday|guzzlehttp|php|libwww-perl|reqwest|postmanruntime|insomnia|expo|dalvik|melmastoon)(?:[/\\s(;]|$)',
  'i',
)
/** An app on a phone: `Name/1 CFNetwork/1 Darwin/1`. */
const APPLE_APP = /\bCFNetwork\/[\d.]+ Darwin\//
const HEADLESS =
  /headless|phantomjs|slimerjs|puppeteer|playwright|selenium|webdriver|cypress|electron-fetch/i

const ENGINES: readonly (readonly [Engine, RegExp])[] = [
  ['firefox', /\bFirefox\/(\d+)/],
  ['chromium', /\b(?:Chrome|Chromium)\/(\d+)/],
  ['safari', /\bVersion\/(\d+(?:\.\d+)?)[^)]*Safari\//],
  // A web view: which Safari is inside it does not say, and nothing is expected of version 0.
  ['safari', /\bAppleWebKit()/],
]
/**
 * Old phones, and browsers whose pages are made for them on a few servers, for whole countries:
 * Opera Mini, UC. Nothing is expected of their headers.
 */
const OLD_BROWSER =
  /^(?:Opera|UCWEB)\/\d|^(?:Nokia|SAMSUNG-|SonyEricsson)\w|\bMSIE \d|\bTrident\/\d/
/** On an iPhone every browser is the system's Safari inside, whatever its name and number. */
const IOS_VERSION = /\bOS (\d+)(?:_(\d+))?/

const SYSTEMS: readonly (readonly [System, RegExp])[] = [
  ['ios', /\b(?:iPhone|iPad|iPod)\b/],
  ['android', /\bAndroid\b/],
  ['chromeos', /\bCrOS\b/],
  ['windows', /\bWindows\b/],
  ['macos', /\bMacintosh\b/],
  ['linux', /\b(?:Linux|X11)\b/],
]

const known = new LRUCache<string, Agent>({ max: KNOWN_MAX })

export function readAgent(userAgent: string): Agent {
  if (userAgent === '') return plain('missing')
  if (userAgent.length > LENGTH_MAX) return plain('oversized')
  const remembered = known.get(userAgent)
  if (remembered !== undefined) return remembered
  const agent = classify(userAgent)
  known.set(userAgent, agent)
  return agent
}

function classify(userAgent: string): Agent {
  if (HEADLESS.test(userAgent)) return plain('headless')
  if (LIBRARY.test(userAgent) || APPLE_APP.test(userAgent)) return plain('library')
  if (isbot(userAgent)) return plain('crawler')
  return readBrowser(userAgent) ?? plain('unknown')
}

function readBrowser(userAgent: string): Agent | undefined {
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  if (OLD_BROWSER.test(userAgent)) return browser(undefined, 0, system)
  if (!userAgent.startsWith('Mozilla/')) return undefined
  if (system === 'ios') return browser('safari', iosVersionOf(userAgent), system)
  for (const [engine, pattern] of ENGINES) {
    const version = pattern.exec(userAgent)?.[1]
    if (version !== undefined) return browser(engine, Number(version), system)
  }
  return undefined
}

function iosVersionOf(userAgent: string): number {
  const [, major = '0', minor = '0'] = IOS_VERSION.exec(userAgent) ?? []
  return Number(`${major}.${minor}`)
}

function browser(engine: Engine | undefined, version: number, system: System | undefined): Agent {
  const family = `${engine ?? 'an old one'} on ${system ?? 'something'}`
  return { kind: 'browser', engine, version, system, family }
}

function plain(kind: AgentKind): Agent {
  return { kind, engine: undefined, version: 0, system: undefined, family: kind }
}
