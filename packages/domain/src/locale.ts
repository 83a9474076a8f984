/**
 * Languages in which every text of the product exists: English, Pashto and Dari. A tag belongs here
 * only when its texts exist, because accepting a locale promises them; the Arabic and French
 * bundles of the sibling services cover error messages only.
 */
export const LOCALES = ['en', 'ps-AF', 'fa-AF'] as const

export type Locale = (typeof LOCALES)[number]

export const DEFAULT_LOCALE: Locale = 'en'

/** Each in its own language. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  en: 'English',
  'ps-AF': 'پښتو',
  'fa-AF': 'دری',
}

export type TextDirection = 'ltr' | 'rtl'

const RTL_LANGUAGES: ReadonlySet<string> = new Set([
  'ar',
  'ckb',
  'fa',
  'he',
  'ps',
  'sd',
  'ug',
  'ur',
])

/** ISO 639-3 codes that devices send for Dari and the Pashto variants. */
const LANGUAGE_ALIASES: Readonly<Record<string, string>> = {
  prs: 'fa',
  pes: 'fa',
  fas: 'fa',
  per: 'fa',
  pus: 'ps',
  pbu: 'ps',
  pbt: 'ps',
  pst: 'ps',
  eng: 'en',
}

/** Browsers send fewer than 200 characters and ten ranges; the rest is ignored. */
const ACCEPT_LANGUAGE_MAX_CHARS = 1024
const ACCEPT_LANGUAGE_MAX_RANGES = 32
/** Some platforms write `ps_AF` for `ps-AF`. */
const TAG = /^[a-z]{1,8}(?:[-_][a-z0-9]{1,8})*$/i
const RANGE =
  /^([a-z]{1,8}(?:[-_][a-z0-9]{1,8})*|\*)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?$/i

export function isLocale(value: unknown): value is Locale {
  return typeof value === 'string' && (LOCALES as readonly string[]).includes(value)
}

/** Works for any BCP 47 tag: hotel names may be in languages that the product does not support. */
export function directionOf(tag: string): TextDirection {
  return RTL_LANGUAGES.has(primaryLanguage(tag)) ? 'rtl' : 'ltr'
}

/**
 * The supported locale for one language tag, or undefined (D35). By lookup (RFC 4647 §3.4): the tag
 * is shortened from the end until it is supported, `en-US` to `en`. A language without a locale of
 * that name has the first locale of the language: `fa`, and `prs` for Dari, is `fa-AF`.
 */
export function matchLocale(tag: string): Locale | undefined
export function matchLocale<L extends string>(tag: string, supported: readonly L[]): L | undefined
export function matchLocale(
  tag: string,
  supported: readonly string[] = LOCALES,
): string | undefined {
  return TAG.test(tag) ? lookUp(tag.replaceAll('_', '-'), supported) : undefined
}

/**
 * Best supported locale for an Accept-Language header (RFC 9110 §12.5.4): by quality, then order;
 * each range as `matchLocale` matches it. `q=0` excludes the range.
 */
export function negotiateLocale(acceptLanguage: string | undefined): Locale
export function negotiateLocale<L extends string>(
  acceptLanguage: string | undefined,
  supported: readonly L[],
): L
export function negotiateLocale(
  acceptLanguage: string | undefined,
  supported: readonly string[] = LOCALES,
): string {
  const fallback = supported[0]
  if (fallback === undefined) throw new TypeError('supported must not be empty')
  const ranges = parseRanges(acceptLanguage ?? '')
  const excluded = ranges.filter((range) => range.quality === 0)
  const allowed = supported.filter((tag) => !excluded.some((range) => sameTag(range.tag, tag)))
  for (const range of ranges) {
    if (range.quality === 0) break
    const match = range.tag === '*' ? allowed[0] : lookUp(range.tag, allowed)
    if (match !== undefined) return match
  }
  return fallback
}

interface LanguageRange {
  readonly tag: string
  readonly quality: number
}

function parseRanges(header: string): LanguageRange[] {
  if (header.length > ACCEPT_LANGUAGE_MAX_CHARS) return []
  const ranges: LanguageRange[] = []
  for (const part of header.split(',', ACCEPT_LANGUAGE_MAX_RANGES)) {
    const match = RANGE.exec(part.trim())
    if (match?.[1] === undefined) continue
    ranges.push({ tag: match[1].replaceAll('_', '-'), quality: Number(match[2] ?? 1) })
  }
  return ranges.toSorted((a, b) => b.quality - a.quality)
}

function lookUp<L extends string>(tag: string, supported: readonly L[]): L | undefined {
  const language = primaryLanguage(tag)
  const [, ...rest] = tag.split('-')
  for (let kept = rest.length; kept >= 0; kept -= 1) {
    const range = [language, ...rest.slice(0, kept)].join('-')
    const match = supported.find((known) => sameTag(known, range))
    if (match !== undefined) return match
  }
  return supported.find((known) => primaryLanguage(known) === language)
}

function sameTag(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function primaryLanguage(tag: string): string {
  const [language = ''] = tag.toLowerCase().split('-', 1)
  return LANGUAGE_ALIASES[language] ?? language
}
