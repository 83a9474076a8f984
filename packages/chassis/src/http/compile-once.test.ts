import { expect, it, vi } from 'vitest'
import { compileOnce, createBuilder } from './compile-once.ts'

it('compiles equal schemas once, and different ones each', () => {
  const compile = vi.fn<(schema: unknown) => object>((schema) => ({ schema }))
  const once = compileOnce(compile)
  const text = once({ type: 'string', maxLength: 3 })
  expect(once({ type: 'string', maxLength: 3 })).toBe(text)
  expect(once({ type: 'string', maxLength: 4 })).not.toBe(text)
  expect(compile).toHaveBeenCalledTimes(2)
})

it('builds again when an app has added a shared schema', () => {
  const build = createBuilder((external) => Object.keys(external as object))
  expect(build({ a: {} })).toBe(build({ a: {} }))
  expect(build({ a: {}, b: {} })).toEqual(['a', 'b'])
})
