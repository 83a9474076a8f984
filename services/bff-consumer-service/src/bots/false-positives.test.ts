import crawlers from 'crawler-user-agents'
import UserAgent from 'user-agents'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { HeaderValues } from './read-headers.ts'
import { readSignals } from './read-signals.ts'
import { scoreSignals } from './score-signals.ts'
import { parseUserAgent } from './user-agent.ts'

const SAMPLES = 6_000

/** What a browser says of itself to scripts, beside what it says in the header. */
interface Browser {
  readonly userAgent: string
  readonly platform: string
}

/** The same draws every time: mulberry32. */
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

const found: string[] = []
afterAll(() => {
  process.stdout.write(`${found.join('\n')}\n`)
})

/**
 * What such a browser sends with a `fetch` of a page of ours. Read off its platform and by patterns
 * of its own, not by the code under test: otherwise the two could never disagree.
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
  return readSignals({ userAgent, headers, httpVersion: '1.1', isDirect: true })
}

function isHeld(userAgent: string, headers: HeaderValues): boolean {
  return scoreSignals(signalsOf(userAgent, headers)).verdict !== 'human'
}

/** The upper end of Wilson's 95 % interval: what the true share will hardly exceed. */
function wilsonUpper(hits: number, total: number): number {
  const z = 1.96
  const share = hits / total
  const middle = share + z ** 2 / (2 * total)
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))
  return (middle + spread) / (1 + z ** 2 / total)
}

const percent = (share: number) => `${(share * 100).toFixed(3)} %`

describe('C9 people', () => {
  it.each([
    ['as their browsers send them', headersOf],
    ['stripped of all but the user agent', (): HeaderValues => ({})],
  ])('are taken for programs less often than once in two hundred: headers %s', (what, sent) => {
    const held = browsers.filter((browser) => isHeld(browser.userAgent, sent(browser)))
    const upper = wilsonUpper(held.length, browsers.length)
    const share = `${held.length} of ${browsers.length}`
    found.push(`false positives, headers ${what}: ${share}, at most ${percent(upper)}`)
    expect(upper).toBeLessThan(0.005)
  })

  /** Some in the lists say Android in the header and a desktop to scripts: the worst case. */
  it('are seldom odd at all', () => {
    const odd = browsers.filter(
      (browser) => signalsOf(browser.userAgent, headersOf(browser)).length > 0,
    )
    found.push(`browsers with any signal: ${odd.length} of ${browsers.length}`)
    expect(odd.length / browsers.length).toBeLessThan(0.1)
  })

  it('are recognised as the browsers they use', () => {
    const others = browsers.filter(({ userAgent }) => parseUserAgent(userAgent).kind !== 'browser')
    expect(others.length / browsers.length).toBeLessThan(0.005)
  })

  it('control: a rule that is too strict would be noticed', () => {
    const held = browsers.filter(({ userAgent }) => /Android 1\d; K/.test(userAgent))
    expect(wilsonUpper(held.length, browsers.length)).toBeGreaterThan(0.005)
  })
})

describe('C9 crawlers', () => {
  const known = crawlers.flatMap(({ instances }) => instances)

  it('that say so are held back; libraries are not, at the pace of people', () => {
    const declared = known.filter((userAgent) => parseUserAgent(userAgent).kind !== 'library')
    const held = declared.filter((userAgent) => isHeld(userAgent, {}))
    const noticed = known.filter((userAgent) => parseUserAgent(userAgent).kind !== 'browser')
    const recall = held.length / declared.length
    found.push(
      `crawlers held back: ${held.length} of ${declared.length}, ${percent(recall)}`,
      `crawlers and libraries noticed: ${noticed.length} of ${known.length}`,
    )
    expect(known.length).toBeGreaterThan(2_000)
    expect(recall).toBeGreaterThan(0.98)
    expect(noticed.length / known.length).toBeGreaterThan(0.99)
    expect(known.length - declared.length).toBeLessThan(known.length * 0.1)
  })
})
