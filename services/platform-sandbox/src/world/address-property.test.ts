import { parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { findCountry } from './countries.ts'
import { generateWorld } from './generate-world.ts'
import { STREETS_COUNT, streetIn } from './words/street-names.ts'

const world = generateWorld({
  seed: 'addresses',
  anchorDate: parseIsoDate('2026-03-19'),
  properties: 900,
})
const COUNTRIES = [...new Set(world.properties.map(({ country }) => country))]

describe('C22 addresses', () => {
  it('follow the format and the script of the country', () => {
    const lineIn = (country: string) =>
      world.properties.find((property) => property.country === country)
    expect(lineIn('AF')?.addressLine).toMatch(/^House \d+, Street \d+, /)
    expect(lineIn('DE')?.addressLine).toMatch(/^\p{L}+(straße|allee|weg) \d+, /u)
    expect(lineIn('GB')?.addressLine).toMatch(/^\d+ \w+ (Road|Street|Avenue|Lane), /)
    expect(lineIn('AE')?.addressLine).toMatch(/^\d+ .+ Street, /)
    expect(lineIn('AE')?.nativeAddressLine).toMatch(/^\p{Script=Arabic}/u)
    expect(lineIn('TJ')?.nativeAddressLine).toMatch(/^\p{Script=Cyrillic}/u)
    const lines = new Set(world.properties.map(({ addressLine }) => addressLine))
    expect(lines.size / world.properties.length).toBeGreaterThan(0.97)
  })

  it('have a name of every street in every country', () => {
    for (const country of COUNTRIES) {
      const streets = Array.from({ length: STREETS_COUNT }, (_, index) => streetIn(country, index))
      expect(new Set(streets.map(({ native }) => native)).size).toBe(STREETS_COUNT)
      expect(streets.every(({ names }) => /^\p{Script=Latin}/u.test(names.default))).toBe(true)
    }
  })

  it('come with rooms whose size depends on country and class', () => {
    const meanSize = (isCounted: (house: (typeof world.properties)[number]) => boolean) => {
      const twins = world.properties
        .filter(isCounted)
        .flatMap(({ roomTypes }) => roomTypes.filter(({ kind }) => kind === 'twin'))
      return twins.reduce((sum, { sizeSqm }) => sum + sizeSqm, 0) / twins.length
    }
    const small = meanSize(({ country }) => (findCountry(country).roomSize ?? 1) < 0.9)
    const large = meanSize(({ country }) => (findCountry(country).roomSize ?? 1) > 1.1)
    expect(large).toBeGreaterThan(small * 1.2)
    const simple = meanSize(({ starRating }) => starRating === 2)
    expect(meanSize(({ starRating }) => starRating === 5)).toBeGreaterThan(simple * 1.4)
  })
})
