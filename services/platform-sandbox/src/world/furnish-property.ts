import type { AmenityCode } from './amenities.ts'
import type { City } from './city.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { WorldProperty } from './world.ts'

export interface Furnishing {
  readonly city: City
  readonly propertyType: WorldProperty['propertyType']
  readonly shariaCompliant: boolean
  readonly starRating: number | null
}

/** Most relevant first: lists show the first five. */
export function furnishProperty(random: SeededRandom, house: Furnishing): AmenityCode[] {
  const { city, propertyType, shariaCompliant, starRating } = house
  const stars = starRating ?? 2
  const inAfghanistan = city.country === 'AF'
  const likely: [AmenityCode, number][] = [
    ['women-only-floor', shariaCompliant ? 0.3 : 0.02],
    ['halal-kitchen', shariaCompliant ? 1 : 0.15],
    ['prayer-room', shariaCompliant ? 1 : 0.08],
    ['pool', stars >= 4 ? 0.5 : 0.03],
    ['garden', 0.3],
    ['courtyard', inAfghanistan ? 0.4 : 0.15],
    ['rooftop-terrace', 0.2],
    ['breakfast', propertyType === 'apartment' ? 0.1 : 0.75],
    ['wifi', 0.9],
    ['generator', inAfghanistan ? 0.75 : 0.1],
    ['airport-pickup', 0.35],
    ['restaurant', propertyType === 'hotel' ? 0.6 : 0.1],
    ['family-rooms', 0.35],
    ['kitchenette', propertyType === 'apartment' ? 0.9 : 0.05],
    ['tea-house', inAfghanistan ? 0.25 : 0.05],
    ['parking', 0.5],
    ['air-conditioning', city.scenery === 'north' ? 0.05 : 0.6],
    ['heating', city.scenery === 'mountain' || city.scenery === 'north' ? 0.8 : 0.2],
    ['elevator', stars >= 4 ? 0.8 : 0.15],
    ['laundry', 0.4],
    ['room-service', stars >= 4 ? 0.6 : 0.1],
    ['meeting-room', stars >= 4 ? 0.4 : 0.06],
    ['gym', stars >= 4 ? 0.4 : 0.05],
    ['security-guard', inAfghanistan ? 0.4 : 0.08],
    ['hammam', 0.08],
    ['step-free', 0.25],
  ]
  return likely.filter(([, probability]) => random.chance(probability)).map(([code]) => code)
}
