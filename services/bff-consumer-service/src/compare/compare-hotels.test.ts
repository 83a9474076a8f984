import { expect, it } from 'vitest'
import { compareAmenities } from './compare-hotels.ts'

const named = (code: string) => ({
  code,
  name: { default: code.toUpperCase(), localized: { 'ps-AF': `${code} پښتو` } },
})
const hotel = (...codes: string[]) => ({ amenities: codes.map(named) })

it('has a row for each amenity of any hotel, the most frequent first', () => {
  expect(compareAmenities([hotel('wifi', 'garden'), hotel('wifi', 'bath')], 'en')).toEqual([
    { code: 'wifi', name: 'WIFI', has: [true, true] },
    { code: 'bath', name: 'BATH', has: [false, true] },
    { code: 'garden', name: 'GARDEN', has: [true, false] },
  ])
})

it('is null for a hotel without details', () => {
  expect(compareAmenities([undefined, hotel('wifi')], 'ps-AF')).toEqual([
    { code: 'wifi', name: 'wifi پښتو', has: [null, true] },
  ])
  expect(compareAmenities([undefined, undefined], 'en')).toEqual([])
})
