import { describe, expect, it } from 'vitest'
import { ownHeadersOf } from '../harness/hotel-client.ts'
import { createGuest, dayFromNow, sectionsOf } from '../harness/start-consumer.ts'
import { useFixture } from '../harness/use-fixture.ts'

const fixture = useFixture()
const { clock, getPath, hotelId } = fixture

describe('D5 responses that shared caches may store', () => {
  it.each([
    ['nights', `/hotels/:id/availability?from=${dayFromNow(1)}&to=${dayFromNow(4)}`],
    ['suggestions in a language', '/suggest?q=kab&locale=en'],
    ['facets', '/facets?locale=en&currency=AFN'],
  ])('contains nothing about the caller: %s', async (_what, path) => {
    const guest = await createGuest(fixture.service.url)
    const response = await getPath(path.replace(':id', hotelId()), { cookie: guest.cookie })
    expect(response.headers.get('cache-control')).toContain('public')
    expect([response.status, ownHeadersOf(response)]).toEqual([200, []])
  })

  it('control: a private response has the limit headers', async () => {
    expect(ownHeadersOf(await getPath('/suggest?q=kab'))).toEqual(['ratelimit', 'ratelimit-policy'])
  })
})

describe.each([
  [
    'availability',
    `/hotels/:id/availability?from=${dayFromNow(6)}&to=${dayFromNow(9)}`,
    30_000,
    { availability: 'stale' },
  ],
  ['suggest', '/suggest?q=hera&locale=en', 300_000, {}],
  ['facets', '/facets?locale=en&currency=PKR', 3_600_000, { facets: 'stale' }],
])('%s with the search service', (name, template, freshMs, sections) => {
  /** Suggestions have no sections: names do not become stale. */
  const isDegraded = name === 'suggest' ? undefined : true
  const POLL_SLOWLY = { timeout: 5_000, interval: 60 }
  const path = () => template.replace(':id', hotelId(4))
  const normal = async () => {
    await expect.poll(async () => (await getPath(path())).status, POLL_SLOWLY).toBe(200)
  }

  /** Lifetimes vary randomly by a tenth. */
  async function untilExpired() {
    clock.advance(freshMs)
    let response = await getPath(path())
    for (let step = 0; step < 8 && response.headers.get('x-cache') === 'HIT'; step += 1) {
      clock.advance(freshMs / 50)
      response = await getPath(path())
    }
    return response
  }

  it.each(['down', 'dropping', 'hanging', 'invalid'] as const)(
    '%s: an error with a code when uncached, marked as stale when cached',
    async (mode) => {
      const { cache } = fixture.service.ctx
      await cache.invalidate(['search', `listing:${hotelId(4)}`])
      fixture.upstreams.behaviour.search.mode = mode
      expect([502, 503, 504]).toContain((await getPath(path())).status)
      fixture.upstreams.reset()
      await normal()
      fixture.upstreams.behaviour.search.mode = mode
      const old = await untilExpired()
      expect([old.status, old.headers.get('x-cache')]).toEqual([200, 'STALE'])
      expect(sectionsOf(old)).toEqual(sections)
      expect(old.body['degraded']).toBe(isDegraded)
      clock.advance(1_200_000)
      expect((await getPath(path())).status).toBeGreaterThanOrEqual(500)
      fixture.upstreams.reset()
      await normal()
    },
  )
})
