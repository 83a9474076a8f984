import UserAgent from 'user-agents'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { scoreSignals } from '../../src/bots/scoring.ts'
import { type HeaderValues, requestSignals } from '../../src/bots/signals.ts'
import { parseUserAgent } from '../../src/bots/user-agent.ts'
import {
  DEVICE_CLASSES,
  type DeviceUserAgent,
  type Part,
  readCrawlers,
  readDevices,
  readModels,
} from './user-agent-lists.ts'

const SAMPLES = 6_000

/** What a browser reports to scripts, in addition to the header. */
interface Browser {
  readonly userAgent: string
  readonly platform: string
}

/** The same sample in every run: mulberry32. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

let browsers: Browser[]

beforeAll(() => {
  const random = vi.spyOn(Math, 'random').mockImplementation(seeded(1405))
  browsers = Array.from({ length: SAMPLES }, () => new UserAgent().data)
  random.mockRestore()
})

const measured: string[] = []
afterAll(() => {
  process.stdout.write(`${measured.join('\n')}\n`)
})

/**
 * The headers such a browser sends with a `fetch` of one of our pages. Derived from its platform
 * and by separate patterns, not by the code under test: otherwise the two could never disagree.
 */
function headersOf({ userAgent, platform }: Browser): HeaderValues {
  const common = { accept: '*/*', 'accept-language': 'fa-AF,fa;q=0.8', 'accept-encoding': 'gzip' }
  const fetched = { ...common, 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }
  const chrome = Number(/ Chrome\/(\d+)/.exec(userAgent)?.[1] ?? 0)
  if (/\b(?:iPhone|iPad)\b/.test(userAgent))
    return /\bOS 1[0-5]_/.test(userAgent) ? common : fetched
  if (chrome === 0) return fetched
  if (chrome < 80) return common
  if (chrome < 89) return fetched
  return {
    ...fetched,
    'sec-ch-ua': `"Not=A?Brand";v="24", "Chromium";v="${chrome}"`,
    'sec-ch-ua-platform': `"${/CrOS/.test(userAgent) ? 'Chrome OS' : hintOf(platform)}"`,
  }
}

function hintOf(platform: string): string {
  if (platform.startsWith('Win')) return 'Windows'
  if (platform.startsWith('Mac')) return 'macOS'
  return /arm|aarch64/.test(platform) ? 'Android' : 'Linux'
}

function signalsOf(userAgent: string, headers: HeaderValues) {
  return requestSignals({ userAgent, headers, httpVersion: '1.1', isDirect: true })
}

function isHeld(userAgent: string, headers: HeaderValues): boolean {
  return scoreSignals(signalsOf(userAgent, headers)).verdict !== 'human'
}

/** The upper end of the 95 % Wilson score interval. */
function wilsonUpper(hits: number, total: number): number {
  const z = 1.96
  const share = hits / total
  const middle = share + z ** 2 / (2 * total)
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))
  return (middle + spread) / (1 + z ** 2 / total)
}

const percent = (share: number) => `${(share * 100).toFixed(3)} %`

describe('C9 browsers of real traffic', () => {
  it.each([
    ['as their browsers send them', headersOf],
    ['stripped of all but the user agent', (): HeaderValues => ({})],
  ])('are suspected less often than once in two hundred: headers %s', (what, sent) => {
    const held = browsers.filter((browser) => isHeld(browser.userAgent, sent(browser)))
    const upper = wilsonUpper(held.length, browsers.length)
    const share = `${held.length} of ${browsers.length}`
    measured.push(`false positives, headers ${what}: ${share}, at most ${percent(upper)}`)
    expect(upper).toBeLessThan(0.005)
  })

  /** Some in the lists report Android in the header and a desktop to scripts: the worst case. */
  it('rarely have any signal', () => {
    const odd = browsers.filter(
      (browser) => signalsOf(browser.userAgent, headersOf(browser)).length > 0,
    )
    measured.push(`browsers with any signal: ${odd.length} of ${browsers.length}`)
    expect(odd.length / browsers.length).toBeLessThan(0.1)
  })

  it('are recognised as browsers', () => {
    const others = browsers.filter(({ userAgent }) => parseUserAgent(userAgent).kind !== 'browser')
    expect(others.length / browsers.length).toBeLessThan(0.005)
  })

  it('control: a rule that is too strict would be noticed', () => {
    const held = browsers.filter(({ userAgent }) => /Android 1\d; K/.test(userAgent))
    expect(wilsonUpper(held.length, browsers.length)).toBeGreaterThan(0.005)
  })
})

describe('C9 devices of every class', () => {
  /** In a class with fewer than a thousand user agents this allows none. */
  const SHARE_MAX = 0.001
  /** As a proxy that removes every other header would send them. */
  const heldOf = (devices: readonly DeviceUserAgent[]) =>
    devices.filter(({ userAgent }) => isHeld(userAgent, {}))

  const all = readDevices()

  it.each(['tuning', 'held-out'] as const)('are not suspected: %s lists', (part: Part) => {
    const devices = all.filter((device) => device.part === part)
    for (const deviceClass of DEVICE_CLASSES) {
      const members = devices.filter((device) => device.deviceClass === deviceClass)
      if (members.length === 0) continue
      const held = heldOf(members)
      const upper = percent(wilsonUpper(held.length, members.length))
      measured.push(
        `${part} ${deviceClass}: ${held.length} of ${members.length}, Wilson upper bound ${upper}`,
      )
      expect(held.length / members.length, held[0]?.userAgent).toBeLessThan(SHARE_MAX)
    }
    expect(devices.length).toBeGreaterThan(part === 'tuning' ? 11_000 : 1_500)
  })

  it('are not suspected for the name of a model', () => {
    const userAgents = readModels()
    const held = userAgents.filter((userAgent) => isHeld(userAgent, {}))
    const upper = percent(wilsonUpper(held.length, userAgents.length))
    measured.push(`names of models: ${held.length} of ${userAgents.length}, at most ${upper}`)
    expect(userAgents.length).toBeGreaterThan(5_000)
    expect(held).toEqual([])
  })

  it('control: the patterns of isbot alone exceed the bound', async () => {
    const { isbot } = await import('isbot')
    const phones = all.filter(({ deviceClass }) => deviceClass === 'feature phone')
    const held = phones.filter(({ userAgent }) => isbot(userAgent))
    expect(held.length / phones.length).toBeGreaterThan(SHARE_MAX)
  })
})

describe('C9 crawlers', () => {
  const lists = readCrawlers()

  /** Shares of each list that are held back by the user agent alone; the rest are libraries. */
  const RECALL_MIN: Readonly<Record<string, number>> = {
    'crawler-user-agents': 0.967,
    'node-device-detector': 1,
    woothee: 1,
    'random-useragent': 1,
  }

  it.each(Object.keys(RECALL_MIN))('are held back: %s', (name) => {
    const crawlers = lists[name] ?? []
    const held = crawlers.filter((userAgent) => isHeld(userAgent, {}))
    const recall = held.length / crawlers.length
    measured.push(`crawlers of ${name}: ${held.length} of ${crawlers.length}, ${percent(recall)}`)
    expect(recall).toBeGreaterThanOrEqual(RECALL_MIN[name] ?? 1)
  })

  it('that name themselves are held back; libraries are not, at the pace of people', () => {
    const known = lists['crawler-user-agents'] ?? []
    const declared = known.filter((userAgent) => parseUserAgent(userAgent).kind !== 'library')
    const held = declared.filter((userAgent) => isHeld(userAgent, {}))
    const noticed = known.filter((userAgent) => parseUserAgent(userAgent).kind !== 'browser')
    const recall = held.length / declared.length
    measured.push(
      `crawlers held back: ${held.length} of ${declared.length}, ${percent(recall)}`,
      `crawlers and libraries recognised: ${noticed.length} of ${known.length}`,
    )
    expect(known.length).toBeGreaterThan(2_000)
    expect(recall).toBeGreaterThan(0.98)
    expect(noticed.length / known.length).toBeGreaterThan(0.99)
    expect(known.length - declared.length).toBeLessThan(known.length * 0.1)
  })

  it('that copy the user agent of a phone are held back', () => {
    const phone = 'Mozilla/5.0 (Linux; Android 13; Discovery DG500 Build/TQ1A) AppleWebKit/537.36'
    const chrome = '(KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
    expect(isHeld(`${phone} ${chrome}`, {})).toBe(false)
    for (const name of ['(compatible; NewCrawler/1.0)', 'Newbot/2.1', '(+https://new.example)']) {
      expect(isHeld(`${phone} ${chrome} ${name}`, {}), name).toBe(true)
    }
    expect(isHeld('Nokia-WAPToolkit/1.2 googlebot(at)googlebot.com', {})).toBe(true)
  })
})
