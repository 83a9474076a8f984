import { expect, it } from 'vitest'
import { memoizeTexts } from './memoize-texts.ts'

function count(max?: number) {
  const parsed: string[] = []
  const parse = memoizeTexts((text) => void parsed.push(text), max)
  return { parsed, parse }
}

it('parses a text once', () => {
  const { parsed, parse } = count()
  for (const text of ['en', 'ps', 'en', 'ps']) parse(text)
  expect(parsed).toEqual(['en', 'ps'])
})

it('parses a long text each time', () => {
  const { parsed, parse } = count()
  for (const text of ['x'.repeat(1_025), 'x'.repeat(1_025)]) parse(text)
  expect(parsed).toHaveLength(2)
})

it('never holds more texts than allowed', () => {
  const { parsed, parse } = count(2)
  for (const text of ['a', 'b', 'c', 'c', 'a']) parse(text)
  expect(parsed).toEqual(['a', 'b', 'c', 'a'])
})
