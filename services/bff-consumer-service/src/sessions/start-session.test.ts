import { expect, it } from 'vitest'
import { classOfDevice } from './start-session.ts'

it.each([
  ['360x640', 'phone'],
  ['915x412', 'phone'],
  ['599x1000', 'phone'],
  ['600x1000', 'tablet'],
  ['1366x1023', 'tablet'],
  ['1366x1024', 'desktop'],
  [undefined, undefined],
])('a screen of %s is a %s', (screen, expected) => {
  expect(classOfDevice(screen)).toBe(expected)
})
