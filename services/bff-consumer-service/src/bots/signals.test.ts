import { describe, expect, it } from 'vitest'
import { scoreSignals } from './scoring.ts'
import {
  historySignals,
  PACES,
  type RequestTraits,
  requestSignals,
  type VisitorHistory,
} from './signals.ts'
import { parseUserAgent } from './user-agent.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const ORDINARY = {
  accept: '*/*',
  'accept-language': 'ps-AF',
  'accept-encoding': 'gzip, br',
  'sec-fetch-mode': 'cors',
}
const HINTS = {
  'sec-ch-ua': '"Chromium";v="140", "Not=A?Brand";v="24", "Google Chrome";v="140"',
  'sec-ch-ua-platform': '"Windows"',
}

function read(
  userAgent: string,
  headers: RequestTraits['headers'],
  over: Partial<RequestTraits> = {},
) {
  const traits = { userAgent, headers, httpVersion: '1.1', isDirect: true, ...over }
  return requestSignals(traits).map(({ kind, detail }) => `${kind} ${detail}`)
}

const verdictOf = (userAgent: string, headers: RequestTraits['headers'] = {}) =>
  scoreSignals(requestSignals({ userAgent, headers, httpVersion: '1.1', isDirect: true })).verdict

describe('C9 a user agent', () => {
  it.each([
    ['curl/8.5.0', 'library'],
    ['python-requests/2.32.3', 'library'],
    ['node', 'library'],
    ['undici', 'library'],
    ['okhttp/4.12.0', 'library'],
    ['Go-http-client/2.0', 'library'],
    ['axios/1.7.2', 'library'],
    ['Melmastoon/1.4 (Android 14)', 'library'],
    ['Melmastoon/7 CFNetwork/1498.700.2 Darwin/23.6.0', 'library'],
    ['Dalvik/2.1.0 (Linux; U; Android 13; SM-A135F)', 'library'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'crawler'],
    ['GPTBot/1.2', 'crawler'],
    ['Scrapy/2.11.2 (+https://scrapy.org)', 'crawler'],
    [CHROME.replace('Chrome/', 'HeadlessChrome/'), 'headless'],
    [
      'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 PhantomJS/2.1.1 Safari/538.1',
      'headless',
    ],
    ['', 'missing'],
    [CHROME, 'browser'],
    [FIREFOX, 'browser'],
    [
      'Opera/9.80 (Android; Opera Mini/36.2/119.132; U; ps) Presto/2.12.423 Version/12.16',
      'browser',
    ],
    ['UCWEB/2.0 (MIDP-2.0; U; Adr 4.4.4; en-US; XT1022) U2/1.0.0 UCBrowser/10.6 Mobile', 'browser'],
    ['Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko', 'browser'],
    ['Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1)', 'browser'],
    ['Nokia6300/2.0 (04.20) Profile/MIDP-2.0 Configuration/CLDC-1.1', 'browser'],
    ['Mozilla/5.0 (not a known browser)', 'unknown'],
  ])('%s: %s', (userAgent, kind) => {
    expect(parseUserAgent(userAgent).kind).toBe(kind)
  })

  it.each([
    ['curl/8.5.0', { accept: '*/*' }, 'human'],
    ['okhttp/4.12.0', { 'accept-encoding': 'gzip' }, 'human'],
    ['node', { accept: '*/*', 'sec-fetch-mode': 'cors' }, 'human'],
    ['GPTBot/1.2', ORDINARY, 'suspect'],
    [CHROME.replace('Chrome/', 'HeadlessChrome/'), ORDINARY, 'bot'],
    ['', {}, 'suspect'],
    ['', ORDINARY, 'human'],
  ])('at the pace of people %s %j is assessed as %s', (userAgent, headers, verdict) => {
    expect(verdictOf(userAgent, headers)).toBe(verdict)
  })

  it('of a megabyte is not parsed', () => {
    const long = `${CHROME} ${'Googlebot '.repeat(100_000)}`
    expect(parseUserAgent(long)).toEqual(parseUserAgent('x'.repeat(513)))
    expect(parseUserAgent(long).kind).toBe('oversized')
  })

  it('has the same family after an update, and another one on another system', () => {
    const family = (userAgent: string) => parseUserAgent(userAgent).family
    expect(family(CHROME)).toBe(family(CHROME.replace('140', '141')))
    expect(family(CHROME)).not.toBe(family(FIREFOX))
    expect(family(CHROME)).not.toBe(family(CHROME.replace('Windows NT 10.0', 'X11; Linux')))
  })
})

describe('C9 the headers', () => {
  it('of an ordinary browser have no signal', () => {
    expect(read(CHROME, { ...ORDINARY, ...HINTS })).toEqual([])
    expect(read(FIREFOX, ORDINARY)).toEqual([])
  })

  it.each([
    ['accept', 'no-accept'],
    ['accept-language', 'no-accept-language'],
    ['accept-encoding', 'no-accept-encoding'],
    ['sec-fetch-mode', 'no-sec-fetch'],
  ])('without %s have a signal', (name, detail) => {
    const { [name as 'accept']: _left, ...rest } = ORDINARY
    expect(read(FIREFOX, rest)).toEqual([`header-anomaly ${detail}`])
  })

  it.each([
    ['Firefox 89', FIREFOX.replaceAll('140', '89')],
    ['Chrome 79', CHROME.replace('140', '79')],
    [
      'an old phone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 15_8 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/149.0.0.0 Mobile/15E148 Safari/604.1',
    ],
    [
      'a web view',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    ],
  ])('of %s need no Fetch Metadata', (_what, userAgent) => {
    const { 'sec-fetch-mode': _left, ...rest } = ORDINARY
    expect(read(userAgent, rest)).toEqual([])
  })

  it('of a current phone need it', () => {
    const { 'sec-fetch-mode': _left, ...rest } = ORDINARY
    const phone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.2 Mobile/15E148 Safari/604.1'
    expect(read(phone, rest)).toEqual(['header-anomaly no-sec-fetch'])
  })

  it.each([
    ['another version', CHROME, { 'sec-ch-ua': '"Chromium";v="99"' }],
    ['another system', CHROME, { ...HINTS, 'sec-ch-ua-platform': '"Linux"' }],
    ['a browser that sends none', FIREFOX, HINTS],
  ])('whose hints name %s contradict it', (_what, userAgent, hints) => {
    const signals = read(userAgent, { ...ORDINARY, ...hints })
    expect(signals).toEqual(['header-anomaly hints-contradict'])
  })

  it('may name a phone that requests the desktop site', () => {
    const desktop = CHROME.replace('Windows NT 10.0; Win64; x64', 'X11; Linux x86_64')
    const hints = { ...HINTS, 'sec-ch-ua-platform': '"Android"' }
    expect(read(desktop, { ...ORDINARY, ...hints })).toEqual([])
  })

  it('whose hints name a headless browser have a signal', () => {
    const hints = { 'sec-ch-ua': '"HeadlessChrome";v="140", "Chromium";v="140"' }
    expect(read(CHROME, { ...ORDINARY, ...hints })).toEqual(['header-anomaly hints-headless'])
  })

  it('in HTTP/1.0 have a signal, unless our proxy uses it', () => {
    const over = { httpVersion: '1.0' }
    expect(read(FIREFOX, ORDINARY, over)).toEqual(['header-anomaly old-protocol'])
    expect(read(FIREFOX, ORDINARY, { ...over, isDirect: false })).toEqual([])
  })

  it('of programs that declare what they are have none', () => {
    expect(read('curl/8.5.0', {})).toEqual(['ua-pattern library'])
  })
})

describe('C9 the history of a visitor', () => {
  const QUIET: VisitorHistory = {
    guestPace: PACES.guestFast,
    fingerprintPace: PACES.fingerprintFast,
    addressPace: PACES.addressFast,
    newSessions: PACES.sessionsMany,
    replays: 0,
    failures: 0,
    origin: 'same',
  }
  const found = (over: Partial<VisitorHistory>) =>
    historySignals({ ...QUIET, ...over }, PACES).map(({ kind, detail }) => `${kind} ${detail}`)

  it.each([
    [{}, []],
    [{ guestPace: PACES.guestFast + 1 }, ['cadence guest-fast']],
    [{ guestPace: PACES.guestInhuman + 1 }, ['cadence guest-inhuman']],
    [{ fingerprintPace: PACES.fingerprintFast + 1 }, ['cadence fingerprint-fast']],
    [{ addressPace: PACES.addressFast + 1 }, ['cadence address-fast']],
    [{ newSessions: PACES.sessionsMany + 1 }, ['fingerprint-collision sessions-many']],
    [{ newSessions: PACES.sessionsFlood + 1 }, ['fingerprint-collision sessions-flood']],
    [{ replays: 1 }, ['fingerprint-collision handoff-replayed']],
    [{ replays: 3 }, ['fingerprint-collision handoff-replayed-often']],
    [{ failures: 1 }, ['recaptcha failed']],
    [{ failures: 3 }, ['recaptcha failed-often']],
    [{ origin: 'other-browser' }, ['header-anomaly session-other-browser']],
    [{ origin: 'elsewhere' }, ['header-anomaly session-elsewhere']],
  ] as const)('%j: %j', (over, expected) => {
    expect(found(over)).toEqual(expected)
  })
})
