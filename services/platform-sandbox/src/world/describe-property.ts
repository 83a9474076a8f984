import type { IsoDate } from '@melmastoon/domain'
import type { City, Quarter } from './city.ts'
import { names } from './names.ts'
import type { SeededRandom } from './seeded-random.ts'
import {
  classSentences,
  languageSentence,
  roomsSentence,
  sceneSentence,
  yearSentence,
} from './words/house-sentences.ts'
import { inPashto, ofPashto } from './words/pashto.ts'
import { SENTENCES } from './words/sentences.ts'
import type { Names, WorldProperty } from './world.ts'

export interface Described {
  readonly city: City
  readonly quarter: Quarter
  readonly name: Names
  readonly amenities: readonly string[]
  readonly propertyType: WorldProperty['propertyType']
  readonly starRating: number | null
  readonly openedOn: IsoDate
  readonly rooms: number
  readonly floors: number
}

const AMENITIES_MAX = 3
const FACTS_MAX = 2

/** Its location, class, amenities and some facts; the same in every language. */
export function describeProperty(random: SeededRandom, house: Described): Names {
  const features = house.amenities
    .map((code) => SENTENCES.get(code))
    .filter((sentence) => sentence !== undefined)
    .slice(0, AMENITIES_MAX)
  const kind = random.pick(classSentences(house.propertyType, house.starRating))
  return joined([openingOf(house), kind, ...features, ...factsOf(random, house)])
}

function factsOf(random: SeededRandom, house: Described): Names[] {
  const { city, rooms, floors, openedOn } = house
  const facts = [
    sceneSentence(city.scenery),
    languageSentence(city.country),
    roomsSentence(rooms, floors),
    yearSentence(Number(openedOn.slice(0, 4))),
  ].filter((fact) => fact !== null)
  const first = random.int(0, facts.length - 1)
  return Array.from(
    { length: FACTS_MAX },
    (_, index) => facts[(first + index) % facts.length],
  ).filter((fact) => fact !== undefined)
}

function joined(sentences: readonly Names[]): Names {
  return names(
    sentences.map((each) => each.default).join(' '),
    sentences.map((each) => each.localized['ps-AF']).join(' '),
    sentences.map((each) => each.localized['fa-AF']).join(' '),
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
      ? `${ps} ${ofPashto(cityPs)} په ښار کې موقعیت لري.`
      : `${ps} ${ofPashto(cityPs)} ${inPashto(inQuarter['ps-AF'])} موقعیت لري.`,
    inQuarter === null
      ? `${fa} در شهر ${cityFa} موقعیت دارد.`
      : `${fa} در ساحه ${inQuarter['fa-AF']} شهر ${cityFa} موقعیت دارد.`,
  )
}
