import { describe, expect, it } from 'vitest'
import { keepCookies } from './cookie-jar.ts'

/** Sets the cookies of the next entry, and records the cookies of each request. */
function jar(...responses: string[][]) {
  const sent: (string | null)[] = []
  const clock = { nowMs: Date.parse('2026-11-16T00:00:00Z') }
  const send = keepCookies({
    nowMs: () => clock.nowMs,
    fetch(request) {
      sent.push(request.headers.get('cookie'))
      const headers = new Headers()
      for (const line of responses[sent.length - 1] ?? []) headers.append('set-cookie', line)
      return Promise.resolve(new Response(null, { headers }))
    },
  })
  const get = (url: string) => send(new Request(url))
  return { sent, get, clock }
}

const SITE = 'https://hotel.test'

describe('keepCookies', () => {
  it('sends back what it has received, with the last value', async () => {
    const { sent, get } = jar(['a=1; Path=/; HttpOnly', 'b=x=y; Path=/'], ['a=2; Path=/'])
    for (let index = 0; index < 3; index += 1) await get(`${SITE}/search`)
    expect(sent).toEqual([null, 'a=1; b=x=y', 'b=x=y; a=2'])
  })

  it('sends nothing to another origin, and has nothing in common with another jar', async () => {
    const { sent, get } = jar(['a=1; Path=/'])
    await get(SITE)
    await get('https://other.test')
    await get('http://hotel.test')
    const other = jar()
    await other.get(SITE)
    expect([...sent, ...other.sent]).toEqual([null, null, null, null])
  })

  it('sends a cookie to its path only', async () => {
    const { sent, get } = jar(['a=1; Path=/t/one', 'b=2'])
    await get(`${SITE}/t/one/start`)
    await get(`${SITE}/t/one/quote`)
    await get(`${SITE}/t/one-more`)
    await get(`${SITE}/t/one`)
    expect(sent).toEqual([null, 'a=1; b=2', null, 'a=1; b=2'])
  })

  it('sends a secure cookie over http to this machine only', async () => {
    const local = jar(['__Host-id=1; Path=/; Secure'])
    const remote = jar(['__Host-id=1; Path=/; Secure'])
    for (let index = 0; index < 2; index += 1) {
      await local.get('http://127.0.0.1:8081/session')
      await remote.get('http://hotel.test/session')
    }
    expect([local.sent[1], remote.sent[1]]).toEqual(['__Host-id=1', null])
  })

  it('deletes a cookie when it expires or is withdrawn', async () => {
    const { sent, get, clock } = jar(
      ['a=1; Path=/; Max-Age=60', 'b=1; Path=/; Expires=Thu, 01 Jan 2099 00:00:00 GMT'],
      ['b=; Path=/; Max-Age=0'],
    )
    await get(SITE)
    await get(SITE)
    await get(SITE)
    clock.nowMs += 60_000
    await get(SITE)
    expect(sent).toEqual([null, 'a=1; b=1', 'a=1', null])
  })

  it('keeps no more than fifty cookies, the newest', async () => {
    const { sent, get } = jar(Array.from({ length: 60 }, (_, at) => `c${at}=1; Path=/`))
    await get(SITE)
    await get(SITE)
    expect(sent[1]?.split('; ')).toHaveLength(50)
    expect(sent[1]).toMatch(/^c10=1.*c59=1$/)
  })
})
