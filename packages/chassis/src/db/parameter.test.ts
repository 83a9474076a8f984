import { describe, expect, it } from 'vitest'
import { toParameter } from './parameter.ts'

describe('toParameter', () => {
  it.each([
    ['text', 'text'],
    [null, null],
    [undefined, null],
    [1.5, '1.5'],
    [true, 'true'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [{ a: [1] }, '{"a":[1]}'],
    [[1, null, 'a"b\\', [true]], '{"1",NULL,"a\\"b\\\\",{"true"}}'],
    [[Buffer.from('ab')], '{"\\\\x6162"}'],
  ])('%j', (value, expected) => {
    expect(toParameter(value)).toBe(expected)
  })

  it('sends a bigint as its digits', () => {
    expect(toParameter(2n ** 62n)).toBe('4611686018427387904')
  })

  it('sends bytes as bytes, also those of a view', () => {
    const view = new Uint8Array([9, 1, 2]).subarray(1)
    expect(toParameter(view)).toEqual(Buffer.from([1, 2]))
  })

  it.each([[() => 1], [Symbol('x')]])('rejects %s', (value) => {
    expect(() => toParameter(value)).toThrow(TypeError)
  })
})
