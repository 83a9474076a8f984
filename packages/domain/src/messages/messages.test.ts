import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { LOCALES, type Locale } from '../locale.ts'
import { PROBLEM_CODES, PROBLEMS } from '../problems.ts'
import { LABEL_KEYS, MESSAGE_ARGUMENTS, messagesOf } from './index.ts'

type Ast = ReturnType<IntlMessageFormat['getAst']>
type Catalogue = Readonly<Record<string, string>>
type Catalogues = Readonly<Record<Locale, Catalogue>>

const PROBLEM_KEYS = PROBLEM_CODES.map((code) => PROBLEMS[code].userMessageKey)
/** Tests of the services compare the labels with the values of their schemas. */
const KEYS: readonly string[] = [...PROBLEM_KEYS, ...LABEL_KEYS]
const CATALOGUES = Object.fromEntries(
  LOCALES.map((locale) => [locale, messagesOf(locale)]),
) as Catalogues

const parse = (text: string, locale: string) =>
  new IntlMessageFormat(text, locale, undefined, { ignoreTag: true }).getAst()

/** The arguments of a message, with the forms of its plurals. */
function argumentsIn(elements: Ast): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const element of elements) {
    if (!('value' in element) || element.type === 0) continue
    const options = 'options' in element ? element.options : {}
    found.set(element.value, Object.keys(options))
    for (const { value } of Object.values(options)) {
      for (const [name, forms] of argumentsIn(value)) found.set(name, forms)
    }
  }
  return found
}

/** What is wrong with the catalogues, one line each. */
function findDefects(catalogues: Catalogues): string[] {
  return LOCALES.flatMap((locale) => {
    const { [locale]: texts, en } = catalogues
    const unknown = Object.keys(texts).filter((key) => !KEYS.includes(key))
    const defects = KEYS.flatMap((key) => {
      const defect = defectOf(texts[key], en[key], locale)
      return defect === undefined ? [] : [`${locale} ${key}: ${defect}`]
    })
    return [
      ...defects,
      ...unknown.map((key) => `${locale} ${key}: neither a problem nor a label has this key`),
    ]
  })
}

function defectOf(text: string | undefined, english: string | undefined, locale: Locale) {
  if (text === undefined || text.trim() === '') return 'is missing'
  try {
    const own = argumentsIn(parse(text, locale))
    const expected = argumentsIn(parse(english ?? '', 'en'))
    if (!isSame([...own.keys()], [...expected.keys()])) return 'has other arguments than English'
    if (!isSame([...own.keys()].filter(isArgument), [...own.keys()])) return 'has unknown arguments'
    const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
    const lacking = [...own.values()].some((forms) => needed.some((form) => !forms.includes(form)))
    return lacking ? 'lacks a plural form' : undefined
  } catch {
    return 'does not parse'
  }
}

function isArgument(name: string): boolean {
  return (MESSAGE_ARGUMENTS as readonly string[]).includes(name)
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join()
}

const SAMPLE = 'errors.general.rate_limited'

const changed = (locale: Locale, text: string | undefined): Catalogues => {
  const { [SAMPLE]: _old, ...rest } = CATALOGUES[locale]
  return { ...CATALOGUES, [locale]: text === undefined ? rest : { ...rest, [SAMPLE]: text } }
}

describe('C21 the message catalogue', () => {
  it('C21 has every key in every language, each parses, with the same arguments', () => {
    expect(PROBLEM_KEYS.length).toBeGreaterThan(180)
    expect(LABEL_KEYS.length).toBeGreaterThan(120)
    expect(findDefects(CATALOGUES)).toEqual([])
  })

  it.each([
    ['a missing key', 'ps-AF', undefined, 'is missing'],
    ['an empty text', 'fa-AF', ' ', 'is missing'],
    ['a text that does not parse', 'fa-AF', '{retryAfter, plural, other {#}', 'does not parse'],
    ['another argument', 'ps-AF', '{errorCount, number}', 'has other arguments than English'],
    ['a missing argument', 'ps-AF', 'ډېرې غوښتنې', 'has other arguments than English'],
    ['a missing plural form', 'fa-AF', '{retryAfter, plural, other {#}}', 'lacks a plural form'],
  ] as const)('control: %s is found', (_what, locale, text, defect) => {
    expect(findDefects(changed(locale, text))).toEqual([`${locale} ${SAMPLE}: ${defect}`])
  })

  it('control: a key without a problem is found', () => {
    const en = { ...CATALOGUES.en, 'errors.gone': 'Gone.' }
    expect(findDefects({ ...CATALOGUES, en })).toEqual([
      'en errors.gone: neither a problem nor a label has this key',
    ])
  })

  it.each(['ps-AF', 'fa-AF'] as const)('C21 %s is written in its own letters', (locale) => {
    // Letters of the other language, Arabic kaf and yeh, and Latin letters.
    const wrong = locale === 'fa-AF' ? /[ټډړږښګڼېۍځڅئۀيىك]|[a-z]/i : /[گآىك]|[a-z]/i
    const texts = Object.values(messagesOf(locale)).map((text) => shown(text, locale))
    expect(texts.filter((text) => wrong.test(text))).toEqual([])
    expect(wrong.test(locale === 'fa-AF' ? 'اتاق خالي' : 'هوټل hotel')).toBe(true)
  })
})

/** Everything a user can see of a message. */
function shown(text: string, locale: Locale): string {
  const format = new IntlMessageFormat(text, locale, undefined, { ignoreTag: true })
  const counts = [0, 1, 7]
  return counts
    .map((n) => format.format({ retryAfter: n, retryAfterMinutes: n, errorCount: n, count: n }))
    .join(' ')
}
