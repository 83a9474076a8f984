import type { City, Quarter } from './city.ts'
import { names } from './names.ts'
import type { SeededRandom } from './seeded-random.ts'
import { HOUSE_WORDS } from './words/house-words.ts'
import { newPashto, ofPashto } from './words/pashto.ts'
import { properWords } from './words/proper-words.ts'
import type { Names, WorldProperty } from './world.ts'

export interface Naming {
  readonly city: City
  readonly quarter: Quarter
  readonly propertyType: WorldProperty['propertyType']
  /** English names already used in the town; the new one is added. */
  readonly taken: Set<string>
}

const DRAWS_MAX = 40

/** Names are unique within a town. */
export function nameProperty(random: SeededRandom, naming: Naming): Names {
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const name = drawName(random, naming)
    if (naming.taken.has(name.default)) continue
    naming.taken.add(name.default)
    return name
  }
  return numbered(drawName(random, naming), naming.taken)
}

function drawName(random: SeededRandom, naming: Naming): Names {
  const { city, quarter, propertyType } = naming
  const word = random.pick(properWords(city.country, city.scenery))
  const house = random.pick(HOUSE_WORDS[propertyType])
  const { default: en, localized } = filled(house, word)
  const [ps, fa] = [localized['ps-AF'], localized['fa-AF']]
  const style = random.next()
  if (style < 0.5) return names(en, ps, fa)
  if (style < 0.6) return names(`New ${en}`, newPashto(ps), `${fa} نو`)
  const { name } = city
  if (style < 0.8 || quarter.localized === null) {
    const { 'ps-AF': cityPs, 'fa-AF': cityFa } = name.localized
    return names(`${name.default} ${en}`, `${ofPashto(cityPs)} ${ps}`, `${fa} ${cityFa}`)
  }
  const { 'ps-AF': quarterPs, 'fa-AF': quarterFa } = quarter.localized
  return names(`${en}, ${quarter.en}`, `${ps}، ${quarterPs}`, `${fa}، ${quarterFa}`)
}

function filled(house: Names, word: Names): Names {
  return names(
    house.default.replace('*', word.default),
    house.localized['ps-AF'].replace('*', ofPashto(word.localized['ps-AF'])),
    house.localized['fa-AF'].replace('*', word.localized['fa-AF']),
  )
}

/** Fallback for towns with many houses. */
function numbered(name: Names, taken: Set<string>): Names {
  let number = 2
  while (taken.has(`${name.default} ${number}`)) number += 1
  taken.add(`${name.default} ${number}`)
  const { 'ps-AF': ps, 'fa-AF': fa } = name.localized
  const digits = number.toLocaleString('fa-u-nu-arabext')
  return names(`${name.default} ${number}`, `${ps} ${digits}`, `${fa} ${digits}`)
}
