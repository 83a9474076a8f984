import { expect, it } from 'vitest'
import { moveExamples } from './move-examples.ts'

const NOW = Date.parse('2028-02-10T23:00:00.000Z')
const move = (document: unknown) => moveExamples(document, '2027-05-20', NOW)

it('moves the dates of the examples so that the arrival is 30 days ahead', () => {
  const stay = { checkIn: '2027-05-20', checkOut: '2027-05-22' }
  expect(move({ a: [{ stay }], until: '2027-05-18T08:00:00.000Z' })).toEqual({
    a: [{ stay: { checkIn: '2028-03-11', checkOut: '2028-03-13' } }],
    until: '2028-03-09T08:00:00.000Z',
  })
})

it('moves nothing else, and leaves the document as it is', () => {
  const document = {
    capturedAt: '2026-11-16T09:11:24.150Z',
    text: 'since 2027-05-20',
    pattern: '^2027-05-20$',
    count: 3,
    none: null,
  }
  expect(move(document)).toEqual(document)
  const example = Object.freeze({ date: '2027-05-20' })
  move(example)
  expect(example.date).toBe('2027-05-20')
})
