import type { City, Quarter } from './city.ts'
import { names } from './names.ts'
import { SENTENCES } from './words/sentences.ts'
import type { Names } from './world.ts'

export interface Described {
  readonly city: City
  readonly quarter: Quarter
  readonly name: Names
  readonly amenities: readonly string[]
}

const SENTENCES_MAX = 3

/** Its location and amenities; the same facts in every language. */
export function describeProperty(house: Described): Names {
  const features = house.amenities
    .map((code) => SENTENCES.get(code))
    .filter((sentence) => sentence !== undefined)
    .slice(0, SENTENCES_MAX)
  const opening = openingOf(house)
  return names(
    [opening.default, ...features.map((each) => each.default)].join(' '),
    [opening, ...features].map((each) => each.localized['ps-AF']).join(' '),
    [opening, ...features].map((each) => each.localized['fa-AF']).join(' '),
  )
}

/** Uses verbs without gender, because nouns for houses differ in gender in Pashto. */
function openingOf({ city, quarter, name }: Described): Names {
  const { 'ps-AF': ps, 'fa-AF': fa } = name.localized
  const { 'ps-AF': cityPs, 'fa-AF': cityFa } = city.name.localized
  const isSaid = name.default.includes(quarter.en)
  const inQuarter = isSaid ? null : quarter.localized
  return names(
    `Find ${name.default} in ${isSaid ? '' : `${quarter.en}, `}${city.name.default}.`,
    inQuarter === null
      ? `${ps} په ${cityPs} ښار کې موقعیت لري.`
      : `${ps} د ${cityPs} ښار په ${inQuarter['ps-AF']} سیمه کې موقعیت لري.`,
    inQuarter === null
      ? `${fa} در شهر ${cityFa} موقعیت دارد.`
      : `${fa} در ساحه ${inQuarter['fa-AF']} شهر ${cityFa} موقعیت دارد.`,
  )
}
