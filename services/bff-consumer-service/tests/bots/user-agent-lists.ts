import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import crawlers from 'crawler-user-agents'

/**
 * User agents of devices and crawlers from test data that other projects publish. The patterns of
 * `src/bots/crawlers.ts` were adjusted while looking at the devices of `tuning` and at all lists of
 * crawlers. Of `held-out` only the counts were looked at: it shows what the patterns are worth for
 * devices they were not made for.
 */
export type Part = 'tuning' | 'held-out'

export const DEVICE_CLASSES = [
  'feature phone',
  'phone',
  'phablet',
  'tablet',
  'television',
  'console',
  'desktop',
  'other device',
] as const

export type DeviceClass = (typeof DEVICE_CLASSES)[number]

export interface DeviceUserAgent {
  readonly part: Part
  readonly deviceClass: DeviceClass
  readonly userAgent: string
}

const require = createRequire(import.meta.url)

const FOLDERS = {
  'mobile-detect': dirname(require.resolve('mobile-detect/package.json')),
  'node-device-detector': dirname(require.resolve('node-device-detector/package.json')),
  'random-user-agent': dirname(require.resolve('random-user-agent/package.json')),
  'random-useragent': dirname(require.resolve('random-useragent/package.json')),
  'ua-parser-js': dirname(require.resolve('ua-parser-js/package.json')),
  'which-browser': dirname(require.resolve('which-browser/package.json')),
  woothee: dirname(require.resolve('woothee/package.json')),
}

function fileOf(packageName: keyof typeof FOLDERS, path: string): string {
  return join(FOLDERS[packageName], path)
}

function readText(packageName: keyof typeof FOLDERS, path: string): string {
  return readFileSync(fileOf(packageName, path), 'utf8')
}

/** Every user agent once; of two parts it belongs to the first. */
export function readDevices(): DeviceUserAgent[] {
  const tuning = [...readMatomo(), ...readWoothee(), ...readRandomUseragent()]
  const heldOut = [...readUaParser(), ...readMobileDetect(), ...readRandomUserAgent()]
  const byText = new Map<string, DeviceUserAgent>()
  for (const [part, entries] of [['tuning', tuning] as const, ['held-out', heldOut] as const]) {
    for (const [deviceClass, userAgent] of entries) {
      if (isServer(userAgent) || byText.has(userAgent)) continue
      byText.set(userAgent, { part, deviceClass, userAgent })
    }
  }
  return [...byText.values()]
}

export function readCrawlers(): Record<string, string[]> {
  const matomo = parseMatomo('bots.yml').map(({ userAgent }) => userAgent)
  return {
    'crawler-user-agents': crawlers.flatMap(({ instances }) => instances),
    'node-device-detector': [...new Set(matomo)],
    woothee: wootheeFiles()
      .filter((file) => file.startsWith('crawler'))
      .flatMap(parseWoothee)
      .map(({ userAgent }) => userAgent),
    'random-useragent': parseRandomUseragent()
      .filter(({ folder }) => /Spiders/.test(folder))
      .map(({ userAgent }) => userAgent),
  }
}

type Entry = readonly [DeviceClass, string]

/** Gateways that fetch pages for phones, and programs that name their site: they are no devices. */
function isServer(userAgent: string): boolean {
  return /https?:|gateway|transcoder|headless|phantomjs/i.test(userAgent)
}

/** One entry of a list in YAML. A parser for all of YAML takes 8 s for these files. */
interface YamlEntry {
  readonly userAgent: string
  /** Of the device in one list, of the entry in the other. */
  readonly type: string | undefined
}

function parseEntries(text: string, userAgentKey: string, type: RegExp): YamlEntry[] {
  const userAgent = new RegExp(String.raw`^[- ] *${userAgentKey}: *(?:[|>]-?\s+)?(.*)$`, 'm')
  return text.split(/^(?=-)/m).flatMap((entry) => {
    const scalar = userAgent.exec(entry)?.[1]
    if (scalar === undefined) return []
    return [{ userAgent: unquote(scalar.trim()), type: type.exec(entry)?.[1]?.trim() }]
  })
}

function unquote(scalar: string): string {
  if (scalar.startsWith('"')) return String(JSON.parse(scalar))
  return scalar.startsWith("'") ? scalar.slice(1, -1).replaceAll("''", "'") : scalar
}

const MATOMO_FOLDER = 'tests/fixtures/devices'
const MATOMO_CLASSES: Readonly<Record<string, DeviceClass>> = {
  'feature phone': 'feature phone',
  smartphone: 'phone',
  phablet: 'phablet',
  tablet: 'tablet',
  tv: 'television',
  console: 'console',
  desktop: 'desktop',
}

function parseMatomo(file: string): YamlEntry[] {
  const text = readText('node-device-detector', `${MATOMO_FOLDER}/${file}`)
  return parseEntries(text, 'user_agent', /\bdevice:\s+type: (.*)/)
}

/**
 * The fixtures of Matomo's device detector, with apps; without its bots, and entries without a
 * device.
 */
function readMatomo(): Entry[] {
  const files = readdirSync(fileOf('node-device-detector', MATOMO_FOLDER))
  return files
    .filter((file) => file !== 'bots.yml')
    .flatMap(parseMatomo)
    .flatMap(({ userAgent, type = '' }): Entry[] => {
      if (!/^\w/.test(type)) return []
      return [[MATOMO_CLASSES[type] ?? 'other device', userAgent]]
    })
}

const WOOTHEE_FOLDER = 'woothee/testsets'
const WOOTHEE_CLASSES: Readonly<Record<string, DeviceClass>> = {
  mobilephone: 'feature phone',
  smartphone: 'phone',
  appliance: 'console',
  pc: 'desktop',
}

const wootheeFiles = () => readdirSync(fileOf('woothee', WOOTHEE_FOLDER))

function parseWoothee(file: string): YamlEntry[] {
  const text = readText('woothee', `${WOOTHEE_FOLDER}/${file}`)
  return parseEntries(text, 'target', /^ +category: (.*)$/m)
}

function readWoothee(): Entry[] {
  return wootheeFiles()
    .flatMap(parseWoothee)
    .flatMap(({ userAgent, type = '' }): Entry[] => {
      const deviceClass = WOOTHEE_CLASSES[type]
      return deviceClass === undefined ? [] : [[deviceClass, userAgent]]
    })
}

function parseRandomUseragent() {
  const text = readText('random-useragent', 'useragent-data.json')
  return JSON.parse(text) as { folder: string; userAgent: string }[]
}

function readRandomUseragent(): Entry[] {
  return parseRandomUseragent().flatMap(({ folder, userAgent }): Entry[] => {
    if (folder.startsWith('/Browsers')) return [['desktop', userAgent]]
    if (folder.endsWith('Game Consoles')) return [['console', userAgent]]
    if (folder.endsWith('Tablets')) return [['tablet', userAgent]]
    return folder.startsWith('/Mobile Devices') ? [['phone', userAgent]] : []
  })
}

const UA_PARSER_CLASSES: Readonly<Record<string, DeviceClass>> = {
  mobile: 'phone',
  tablet: 'tablet',
  smarttv: 'television',
  console: 'console',
}

function readUaParser(): Entry[] {
  const text = readText('ua-parser-js', 'test/device-test.json')
  const entries = JSON.parse(text) as { ua: string; expect: { type: string } }[]
  return entries.map(({ ua, expect }) => [UA_PARSER_CLASSES[expect.type] ?? 'other device', ua])
}

/** A script that declares a table: evaluated without access to anything. */
function readMobileDetect(): Entry[] {
  const module = { exports: {} }
  runInNewContext(readText('mobile-detect', 'tests/data/user-agents.js'), { module })
  const byVendor = module.exports as Record<
    string,
    { user_agent: string; mobile: boolean; tablet: boolean }[]
  >
  return Object.entries(byVendor)
    .filter(([vendor]) => vendor !== 'Bot')
    .flatMap(([, entries]) => entries)
    .flatMap(({ user_agent, mobile, tablet }): Entry[] =>
      mobile ? [[tablet ? 'tablet' : 'phone', user_agent]] : [],
    )
}

function readRandomUserAgent(): Entry[] {
  const groups = JSON.parse(readText('random-user-agent', 'useragents.json')) as {
    type: string
    list: { useragents: { useragent: string }[] }[]
  }[]
  const classes: Readonly<Record<string, DeviceClass>> = { desktop: 'desktop', mobile: 'phone' }
  return groups.flatMap(({ type, list }) =>
    list.flatMap(({ useragents }) =>
      useragents.map(({ useragent }): Entry => [classes[type] ?? 'console', useragent]),
    ),
  )
}

/** The user agents of phones, made from the names of models in a database. */
export function readModels(): string[] {
  return Object.entries(MODEL_USER_AGENTS).flatMap(([file, userAgentOf]) => {
    const exported = require(fileOf('which-browser', `data/models-${file}.js`)) as object
    const [models = {}] = Object.values(exported) as object[]
    // Some names are patterns for many models.
    const names = Object.keys(models).filter((name) => !/[\^$\\|()[\]*?!]/.test(name))
    return names.map(userAgentOf)
  })
}

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const PROFILE = 'Profile/MIDP-2.1 Configuration/CLDC-1.1'
const MODEL_USER_AGENTS: Readonly<Record<string, (model: string) => string>> = {
  android: (model) =>
    `Mozilla/5.0 (Linux; Android 9; ${model}) ${WEBKIT} Chrome/80.0.3987.87 Mobile Safari/537.36`,
  brew: (model) => `${model} BREW/3.1.5`,
  feature: (model) => `${model}/1.0 ${PROFILE}`,
  s40: (model) => `Nokia${model}/2.0 (05.11) ${PROFILE}`,
  symbian: (model) =>
    `Mozilla/5.0 (SymbianOS/9.4; Series60/5.0 ${model}/10.0.021; ${PROFILE} ) ${WEBKIT}`,
}
