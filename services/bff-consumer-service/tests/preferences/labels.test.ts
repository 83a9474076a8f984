import { LOCALES, type Locale } from '@melmastoon/domain'
import { LABEL_KEYS, messagesOf } from '@melmastoon/domain/messages'
import { AMENITY_CODES } from '@melmastoon/upstream-contracts/search'
import { beforeAll, describe, expect, it } from 'vitest'
import { LABELS } from '../../src/http/schemas/labels.ts'
import { contracts } from '../harness/start-consumer.ts'

type Enums = Readonly<Record<string, readonly string[]>>
type Catalogues = Readonly<Record<Locale, Readonly<Record<string, string>>>>

/** Enumerations of the document that no page shows as they are, with the reason. */
const NOT_SHOWN: readonly (readonly [RegExp, string])[] = [
  [/\.(currency|currencyPreference|code)$/, 'GET /locales has the names and symbols of currencies'],
  [/\.(locale|localePreference|defaultLocale|tag)$/, 'GET /locales has the names of languages'],
  [/\.direction$/, 'an attribute of HTML'],
  [/\.source$|^Funnel/, 'telemetry'],
  [/^Geo\w+Query\.mode$/, 'the form of a request'],
  [/^PhotoSource\.format$/, 'the type of a file'],
]

interface Node {
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly oneOf?: readonly Node[]
  readonly additionalProperties?: Node | boolean
}

/** The enumerations of a schema, by their place. */
function* enumsIn(node: Node, place: string): Generator<readonly [string, readonly string[]]> {
  if (node.enum !== undefined) {
    const values = node.enum.filter((value) => typeof value === 'string')
    if (values.length > 0) yield [place, values]
  }
  for (const [name, part] of Object.entries(node.properties ?? {})) {
    yield* enumsIn(part, `${place}.${name}`)
  }
  const { items, anyOf = [], oneOf = [], additionalProperties: others } = node
  const parts = [items, ...anyOf, ...oneOf, typeof others === 'object' ? others : undefined]
  for (const part of parts) if (part !== undefined) yield* enumsIn(part, place)
}

/** Schemas of requests end with `Input`; problems have texts by their `userMessageKey`. */
function enumsOf(document: string): Enums {
  const { components } = JSON.parse(document) as {
    components: { schemas: Record<string, Node> }
  }
  const schemas = Object.entries(components.schemas).filter(([name]) => !name.endsWith('Problem'))
  const found = schemas.flatMap(([name, schema]) => [
    ...enumsIn(schema, name.replace(/Input$/, '')),
  ])
  return Object.fromEntries(found)
}

/** What is missing, one line each. */
function defectsOf(enums: Enums, catalogues: Catalogues): string[] {
  return Object.entries(enums).flatMap(([place, values]) => {
    const area = areaOf(place)
    if (area === undefined) return isNotShown(place) ? [] : [`${place} has no area of labels`]
    return LOCALES.flatMap((locale) =>
      values
        .map((value) => `${area}.${value}`)
        .filter((key) => (catalogues[locale][key] ?? '').trim() === '')
        .map((key) => `${place}: ${key} is missing in ${locale}`),
    )
  })
}

function areaOf(place: string): string | undefined {
  return (LABELS as Readonly<Record<string, string>>)[place]
}

function isNotShown(place: string): boolean {
  return NOT_SHOWN.some(([pattern]) => pattern.test(place))
}

const CATALOGUES = Object.fromEntries(
  LOCALES.map((locale) => [locale, messagesOf(locale)]),
) as Catalogues

let enums: Enums
beforeAll(async () => {
  enums = enumsOf(await contracts.openApi())
})

describe('C21 the texts of values', () => {
  it('C21 exist in every language for every enumeration of the document that pages show', () => {
    expect(Object.keys(enums).length).toBeGreaterThan(50)
    expect(defectsOf(enums, CATALOGUES)).toEqual([])
  })

  it('C21 exist in every language for every amenity', () => {
    const missing = LOCALES.flatMap((locale) =>
      AMENITY_CODES.filter((code) => CATALOGUES[locale][`labels.amenity.${code}`] === undefined),
    )
    expect(missing).toEqual([])
  })

  it('C21 belong to a value that exists', () => {
    const shown = Object.entries(enums).flatMap(([place, values]) =>
      values.map((value) => `${areaOf(place) ?? ''}.${value}`),
    )
    const used = new Set([...shown, ...AMENITY_CODES.map((code) => `labels.amenity.${code}`)])
    expect(LABEL_KEYS.filter((key) => !used.has(key))).toEqual([])
    expect(Object.keys(LABELS).filter((place) => enums[place] === undefined)).toEqual([])
  })

  it('C21 are named by the descriptions of the document', async () => {
    const document = await contracts.openApi()
    for (const area of new Set(Object.values(LABELS))) {
      expect(document).toContain(`\`${area}.<value>\``)
    }
  })

  it('control: a new value is found in every language', () => {
    const boards = [...(enums['StayOffer.board'] ?? []), 'all_inclusive']
    expect(defectsOf({ 'StayOffer.board': boards }, CATALOGUES)).toEqual(
      LOCALES.map((tag) => `StayOffer.board: labels.board.all_inclusive is missing in ${tag}`),
    )
  })

  it('control: a new enumeration is found', () => {
    const added = { ...enums, 'HotelSummary.parking': ['free', 'paid'] }
    expect(defectsOf(added, CATALOGUES)).toEqual(['HotelSummary.parking has no area of labels'])
  })

  it.each(LOCALES)('control: a text that is missing in %s is found', (locale) => {
    const { 'labels.unavailable.sold_out': _removed, ...rest } = CATALOGUES[locale]
    expect(defectsOf(enums, { ...CATALOGUES, [locale]: rest })).toEqual([
      `StayAvailability.reason: labels.unavailable.sold_out is missing in ${locale}`,
    ])
  })
})
