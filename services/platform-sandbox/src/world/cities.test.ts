import { isTimeZone, parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { CITIES } from './cities.ts'
import { findCountry } from './countries.ts'
import { generateWorld } from './generate-world.ts'

const options = { seed: 'places', anchorDate: parseIsoDate('2026-03-19'), properties: 600 }
const { properties } = generateWorld(options)

type Box = readonly [south: number, west: number, north: number, east: number]

/** Rough, from an atlas; two boxes for a country on both sides of the antimeridian. */
const BOXES: Readonly<Record<string, readonly Box[]>> = {
  AF: [[29.3, 60.4, 38.6, 75]],
  PK: [[23.6, 60.8, 37.2, 77.9]],
  IR: [[25, 44, 39.9, 63.4]],
  TJ: [[36.6, 67.3, 41.1, 75.2]],
  UZ: [[37.1, 55.9, 45.6, 73.2]],
  TM: [[35.1, 52.4, 42.8, 66.7]],
  KG: [[39.1, 69.2, 43.3, 80.3]],
  KZ: [[40.5, 46.4, 55.5, 87.4]],
  CN: [[18.1, 73.4, 53.6, 134.8]],
  AE: [[22.6, 51.4, 26.1, 56.4]],
  QA: [[24.4, 50.7, 26.2, 51.7]],
  OM: [[16.6, 51.9, 26.4, 59.9]],
  SA: [[16.3, 34.4, 32.2, 55.7]],
  IQ: [[29, 38.7, 37.4, 48.6]],
  JO: [[29.1, 34.9, 33.4, 39.4]],
  EG: [[21.9, 24.6, 31.7, 36.9]],
  MA: [[27.6, -13.2, 36, -0.9]],
  TR: [[35.8, 25.6, 42.2, 44.9]],
  GE: [[41, 39.9, 43.6, 46.8]],
  AZ: [[38.3, 44.7, 41.9, 50.7]],
  AM: [[38.8, 43.4, 41.3, 46.7]],
  IN: [[6.7, 68.1, 35.6, 97.4]],
  NP: [[26.3, 80, 30.5, 88.3]],
  BD: [[20.5, 88, 26.7, 92.7]],
  LK: [[5.9, 79.6, 9.9, 82]],
  TH: [[5.6, 97.3, 20.5, 105.7]],
  MY: [[0.8, 99.6, 7.4, 119.3]],
  ID: [[-11.1, 95, 6.1, 141.1]],
  JP: [[24, 122.9, 45.6, 145.9]],
  KR: [[33.1, 125.8, 38.7, 129.6]],
  BA: [[42.5, 15.7, 45.3, 19.7]],
  GB: [[49.8, -8.7, 60.9, 1.8]],
  DE: [[47.2, 5.8, 55.1, 15.1]],
  FR: [[41.3, -5.2, 51.2, 9.6]],
  AT: [[46.3, 9.5, 49.1, 17.2]],
  IT: [[36.6, 6.6, 47.1, 18.6]],
  ES: [[36, -9.4, 43.8, 3.4]],
  NL: [[50.7, 3.3, 53.6, 7.3]],
  SE: [[55.3, 11, 69.1, 24.2]],
  NO: [[57.9, 4.5, 71.2, 31.2]],
  SJ: [[76.4, 10.4, 80.9, 33.6]],
  IS: [[63.2, -24.6, 66.6, -13.4]],
  RU: [
    [41.1, 19.6, 81.9, 180],
    [62, -180, 72, -169],
  ],
  US: [
    [24.4, -125, 49.4, -66.9],
    [18.9, -160.3, 22.3, -154.7],
  ],
  CA: [[41.6, -141.1, 83.2, -52.6]],
  BR: [[-33.8, -74, 5.3, -34.7]],
  AR: [[-55.2, -73.6, -21.7, -53.6]],
  KE: [[-4.8, 33.9, 5.1, 41.9]],
  ZA: [[-34.9, 16.4, -22.1, 33]],
  AU: [[-43.7, 113.1, -10.6, 153.7]],
  NZ: [[-47.4, 166.3, -34.3, 178.6]],
  FJ: [
    [-19.3, 176.8, -15.7, 180],
    [-19.3, -180, -15.7, -178],
  ],
  WS: [[-14.1, -172.9, -13.4, -171.4]],
  TO: [[-22.4, -176.3, -15.5, -173.6]],
}

function isWithin(country: string, { lat, lng }: { lat: number; lng: number }): boolean {
  const boxes = BOXES[country] ?? []
  return boxes.some(([s, w, n, e]) => lat >= s && lat <= n && lng >= w && lng <= e)
}

type Spot = { lat: number; lng: number }

/** Flat within a town, also across the antimeridian. */
function kmBetween(a: Spot, b: Spot): number {
  const turn = (((a.lng - b.lng + 540) % 360) - 180) * Math.cos((a.lat * Math.PI) / 180)
  return Math.hypot(a.lat - b.lat, turn) * 111.32
}

describe('every town', () => {
  it('is located in its country', () => {
    expect(CITIES.filter((city) => !isWithin(city.country, city)).map(({ key }) => key)).toEqual([])
    const houses = properties.filter((house) => !isWithin(house.country, house))
    expect(houses.map(({ slug }) => slug)).toEqual([])
  })

  it('has its neighbourhoods within 30 km of its centre', () => {
    const quarters = CITIES.flatMap((city) => city.quarters.map((quarter) => ({ city, quarter })))
    const far = quarters.filter(({ city, quarter }) => kmBetween(city, quarter) > 30)
    expect(far.map(({ city, quarter }) => `${city.key}/${quarter.en}`)).toEqual([])
    const spots = quarters.map(({ quarter }) => `${quarter.lat},${quarter.lng}`)
    expect(new Set(spots).size).toBe(spots.length)
  })

  it('control: a location elsewhere is detected', () => {
    expect(isWithin('AF', { lat: 69.17, lng: 34.53 })).toBe(false)
  })

  it('has a unique key, a time zone, a country with prices, and quarters', () => {
    expect(new Set(CITIES.map(({ key }) => key)).size).toBe(CITIES.length)
    for (const { timeZone, country, quarters, spreadKm } of CITIES) {
      expect(isTimeZone(timeZone)).toBe(true)
      expect(findCountry(country).nightlyUsd).toBeGreaterThan(0)
      expect(quarters.length).toBeGreaterThan(0)
      expect(spreadKm).toBeGreaterThan(0)
    }
  })

  it('C21 has quarters with names in Pashto and Dari', () => {
    const quarters = CITIES.flatMap((city) => city.quarters)
    const isArabic = (text: string | undefined) =>
      /^[\p{Script=Arabic}\s\u200c().،-]+$/u.test(text ?? '')
    const lacking = quarters.filter(
      ({ localized }) => !isArabic(localized?.['ps-AF']) || !isArabic(localized?.['fa-AF']),
    )
    expect(lacking.map(({ en }) => en)).toEqual([])
    expect(isArabic('Camden')).toBe(false)
  })
})
