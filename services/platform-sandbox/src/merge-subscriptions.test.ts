import { expect, it } from 'vitest'
import { mergeSubscriptions } from './merge-subscriptions.ts'

const handler = () => ({ scope: 'service' as const, handle: async () => undefined })

it('puts the handlers of all modules together', () => {
  const [one, two] = [handler(), handler()]
  const merged = mergeSubscriptions([
    { subscriptions: { a: one } },
    {},
    { subscriptions: { b: two } },
  ])
  expect(merged).toEqual({ a: one, b: two })
  expect(merged['a']).toBe(one)
})

it('rejects a second handler of a subject', () => {
  const modules = [{ subscriptions: { a: handler() } }, { subscriptions: { a: handler() } }]
  expect(() => mergeSubscriptions(modules)).toThrow(TypeError)
})
