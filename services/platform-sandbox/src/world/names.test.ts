import { parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { AMENITIES } from './amenities.ts'
import { CITIES } from './cities.ts'
import { generateWorld } from './generate-world.ts'
import type { Names } from './world.ts'

const world = generateWorld({
  seed: 'scripts',
  anchorDate: parseIsoDate('2026-03-19'),
  properties: 900,
})

const LATIN = /\p{Script=Latin}/u
const ARABIC = /\p{Script=Arabic}/u
/** Letters that do not exist in Dari. */
const ONLY_PASHTO = /[ټډړږښګڼېۍځڅيۀ]/u
/** Letters that Pashto writes differently. */
const ONLY_DARI = /[گآ]/u
const ARABIC_KAF = /ك/u

const quarters = CITIES.flatMap(({ quarters: all }) => all)
const everyName: readonly Names[] = [
  ...CITIES.flatMap(({ name, region }) => [name, region.name]),
  ...AMENITIES.map(({ name }) => name),
  ...quarters.flatMap(({ en, localized }) => (localized ? [{ default: en, localized }] : [])),
  ...world.tenants.flatMap(({ displayName, tagline }) => [displayName, tagline]),
  ...world.properties.flatMap(({ name, description, roomTypes }) => [
    name,
    description,
    ...roomTypes.map((roomType) => roomType.name),
  ]),
]

describe('every name of the world', () => {
  it('exists in English, Pashto and Dari, each in its own script', () => {
    const wrong = everyName.filter(({ default: en, localized }) => {
      const others = [localized['ps-AF'], localized['fa-AF']]
      const isEnglish = LATIN.test(en) && !ARABIC.test(en)
      return !isEnglish || others.some((text) => !ARABIC.test(text) || LATIN.test(text))
    })
    expect(wrong).toEqual([])
  })

  it('has no Pashto letters in Dari and no Dari letters in Pashto', () => {
    const dari = everyName.map(({ localized }) => localized['fa-AF'])
    const pashto = everyName.map(({ localized }) => localized['ps-AF'])
    expect([...new Set(dari.filter((text) => ONLY_PASHTO.test(text)))]).toEqual([])
    expect([...new Set(pashto.filter((text) => ONLY_DARI.test(text)))]).toEqual([])
    expect([...dari, ...pashto].filter((text) => ARABIC_KAF.test(text))).toEqual([])
  })

  it('differs between Pashto and Dari wherever the languages do', () => {
    const differ = ({ localized }: Names) => localized['ps-AF'] !== localized['fa-AF']
    expect(AMENITIES.every(({ name }) => differ(name))).toBe(true)
    expect(world.properties.every(({ description }) => differ(description))).toBe(true)
    const named = world.properties.filter(({ name }) => differ(name)).length
    expect(named / world.properties.length).toBeGreaterThan(0.95)
  })

  it('is unique in its town', () => {
    const taken = world.properties.map(({ city, name }) => `${city}: ${name.default}`)
    expect(new Set(taken).size).toBe(taken.length)
  })
})
