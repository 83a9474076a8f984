import type { IsoDateTime } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { boundedInstant, hostOf } from './beacon-values.ts'

const NOW = '2026-03-21T09:00:00.000Z' as IsoDateTime

it.each([
  [undefined, NOW],
  ['2026-03-21T08:59:58Z', '2026-03-21T08:59:58.000Z'],
  ['2026-03-21T08:00:00.000Z', '2026-03-21T08:00:00.000Z'],
  ['2026-03-21T07:59:59.999Z', NOW],
  ['2026-03-21T09:00:00.001Z', NOW],
  ['2026-02-30T25:00:00Z', NOW],
])('a clock that says %s is heard as %s', (said, heard) => {
  expect(boundedInstant(said as IsoDateTime | undefined, NOW)).toBe(heard)
})

it.each([
  ['https://www.example.com/search?q=ahmad#top', 'www.example.com'],
  ['http://somebody:secret@News.Example.ORG:8080/', 'news.example.org'],
  ['https://مثال.افغانستان/', 'xn--mgbh0fb.xn--mgbaal8b0b9b2bd'],
  ['android-app://com.example.mail/', undefined],
  ['https://203.0.113.77/', undefined],
  ['https://[2001:db8::1]/', undefined],
  ['https://localhost/', undefined],
  ['not an address', undefined],
  ['', undefined],
  [undefined, undefined],
  [`https://${'a.'.repeat(140)}com/`, undefined],
])('of %s it is %s', (referer, host) => {
  expect(hostOf(referer)).toBe(host)
})
