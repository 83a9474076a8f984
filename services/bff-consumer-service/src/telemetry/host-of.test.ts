import { expect, it } from 'vitest'
import { hostOf } from './host-of.ts'

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
