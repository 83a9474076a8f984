import { expect, it } from 'vitest'
import { createValidatorBuilder } from './validator.ts'

const SCHEMA = {
  type: 'object',
  properties: { nights: { type: 'integer', minimum: 1, maximum: 62 } },
}

const validatorOf = (httpPart: string) =>
  createValidatorBuilder()({})({ schema: structuredClone(SCHEMA), httpPart })

it.each(['1e400', '-1e400', 'Infinity', 'NaN', '63', '0', '1.5', '', 'two'])(
  'rejects %j as a number in a query string',
  (nights) => {
    expect(validatorOf('querystring')({ nights })).toBe(false)
  },
)

it('accepts numbers everywhere, and converts text to numbers only in query strings', () => {
  expect(validatorOf('querystring')({ nights: '62' })).toBe(true)
  expect(validatorOf('body')({ nights: 62 })).toBe(true)
  expect(validatorOf('body')({ nights: '62' })).toBe(false)
  expect(validatorOf('body')({ nights: Number.POSITIVE_INFINITY })).toBe(false)
})
