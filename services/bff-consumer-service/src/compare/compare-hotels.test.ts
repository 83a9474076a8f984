import { expect, it } from 'vitest'
import { compareAmenities } from './compare-hotels.ts'

const named = (code: string) => ({
  code,
  name: { default: code.toUpperCase(), localized: { 'ps-AF': `${code} پښتو` } },
})
const hotel = (...codes: string[]) => ({ amenities: codes.map(named) })

it('has a line for all that any hotel has, the most common first', () => {
  expect(compareAmenities([hotel('wifi', 'garden'), hotel('wifi', 'bath')], 'en')).toEqual([
    { code: 'wifi', name: 'WIFI', has: [true, true] },
    { code: 'bath', name: 'BATH', has: [false, true] },
    { code: 'garden', name: 'GARDEN', has: [true, false] },
  ])
})

it('does not know what a hotel has that told nothing', () => {
  expect(compareAmenities([undefined, hotel('wifi')], 'ps-AF')).toEqual([
    { code: 'wifi', name: 'wifi پښتو', has: [null, true] },
  ])
  expect(compareAmenities([undefined, undefined], 'en')).toEqual([])
})
