import { runJob } from '@melmastoon/chassis/jobs'
import { jobHost } from '@melmastoon/chassis/service'
import { type GuestSessionId, idToUuid, toIsoDateTime } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { sessionBy } from '../harness/guest-sessions.ts'
import { finishBackgroundWork } from '../harness/published-events.ts'
import { type Fixture, post, startFixture } from '../harness/start-consumer.ts'
import {
  startWishlistClient,
  storedWishes,
  type WishlistClient,
} from '../harness/wishlist-client.ts'

let fixture: Fixture
let hotel: string

beforeAll(async () => {
  fixture = await startFixture()
  hotel = fixture.upstreams.hotels[0]?.propertyId ?? ''
})
afterAll(() => fixture[Symbol.asyncDispose]())

const runRetention = () => runJob(jobHost(service, fixture.service.ctx), 'wishlist-retention')

/** A guest with a wish whose last visit was the given number of days ago. */
async function seenDaysAgo(days: number): Promise<WishlistClient> {
  const guest = await startWishlistClient(fixture.service.url)
  await guest.add(hotel)
  const lastSeenAt = toIsoDateTime(new Date(Date.now() - days * 86_400_000))
  await fixture.service.ctx.sessions.update(await sessionBy(fixture.service, guest), (data) => ({
    ...data,
    lastSeenAt,
  }))
  await fixture.environment.query(`update bff_consumer.wishlist_anonymous
     set session_seen_at = now() - make_interval(days => ${days})
     where guest_session_id = '${idToUuid(guest.id as GuestSessionId)}'`)
  return guest
}

describe('C6 wishes of anonymous guests', () => {
  it('are deleted with the session', async () => {
    const [gone, retained] = [await seenDaysAgo(32), await seenDaysAgo(30)]
    const { summary } = await runRetention()
    expect(summary).toEqual({ deleted: 1, batches: 1 })
    expect(await storedWishes(fixture.environment, gone)).toEqual([])
    expect(await storedWishes(fixture.environment, retained)).toEqual([hotel])
  })

  it.each<[string, (guest: WishlistClient) => Promise<unknown>]>([
    ['reads the wishlist', (guest) => guest.list()],
    [
      'reads the session',
      ({ cookie }) => post(fixture.service.url, '/session', { headers: { cookie } }),
    ],
  ])('are retained while the guest returns and %s', async (_name, visit) => {
    const guest = await seenDaysAgo(32)
    await visit(guest)
    await finishBackgroundWork(fixture)
    await runRetention()
    expect(await storedWishes(fixture.environment, guest)).toEqual([hotel])
  })

  it('are deleted at once on request', async () => {
    const guest = await seenDaysAgo(0)
    const { cookie } = guest
    await post(fixture.service.url, '/session/clear', { headers: { cookie } })
    expect(await storedWishes(fixture.environment, guest)).toEqual([])
  })
})
