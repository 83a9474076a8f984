import { type DedicatedEnvironment, freezeServer } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeUpstreams, startFakeUpstreams } from '../harness/fake-upstreams/index.ts'
import { stayRequest } from '../harness/handoff-client.ts'
import {
  createGuest,
  dedicatedConsumerEnvironment,
  type RunningConsumer,
  startConsumer,
} from '../harness/start-consumer.ts'
import { send } from '../harness/wishlist-client.ts'

/** D22 and P17: Postgres accepts connections and never responds. */
let postgres: DedicatedEnvironment['postgres']
let upstreams: FakeUpstreams
let service: RunningConsumer
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  upstreams = stack.use(await startFakeUpstreams())
  const environment = stack.use(await dedicatedConsumerEnvironment(upstreams))
  postgres = environment.postgres
  service = stack.use(await startConsumer(environment))
})
afterAll(() => stack.disposeAsync())

const UNAVAILABLE = 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'
/** Time to deliver a response after its deadline. */
const SLACK_MS = 700

describe('Postgres frozen', { timeout: 60_000 }, () => {
  it('every response arrives within its deadline: mutations 503, the wishlist from the session', async () => {
    const { cookie } = await createGuest(service.url)
    const headers = { cookie }
    const [first, second] = upstreams.hotels
    if (first === undefined || second === undefined) throw new Error('no hotels')
    const mintPath = `/handoff/${first.tenantId}/${first.propertyId}`
    const mint = (key?: string) =>
      send(service.url, ['POST', mintPath], { headers, json: stayRequest(), ...(key && { key }) })
    const wish = (propertyId: string) =>
      send(service.url, ['POST', '/wishlist'], { headers, json: { propertyId, source: 'detail' } })
    const list = () => send(service.url, ['GET', '/wishlist'], { headers, key: '' })
    const prefer = () =>
      send(service.url, ['POST', '/session/locale'], { headers, json: { locale: 'en' } })
    // Another guest: whether the rows are deleted afterwards is not known to a client.
    const leaving = await createGuest(service.url)
    const clear = () =>
      send(service.url, ['POST', '/session/clear'], {
        headers: { cookie: leaving.cookie },
        key: '',
      })
    await expect.poll(async () => (await mint()).status, { timeout: 10_000 }).toBe(201)
    expect((await wish(first.propertyId)).status).toBe(201)
    expect((await list()).body).toMatchObject({ size: 1, degraded: false })

    const key = 'a key that is used before and after'.replaceAll(' ', '-')
    const { idle } = service.ctx.db.poolState()
    {
      using _frozen = freezeServer(postgres.pid)
      const clearing = clear()
      // It has a connection before the others take them all.
      await expect.poll(() => service.ctx.db.poolState().idle).toBeLessThan(idle)
      // More than the pool has connections, so that some wait for one and some for a response.
      const mints = Array.from({ length: 20 }, () => mint(key))
      const [wished, preferred, listed, cleared, ...minted] = await Promise.all([
        wish(second.propertyId),
        prefer(),
        list(),
        clearing,
        ...mints,
      ])
      for (const response of minted) {
        expect([response.status, response.body['code']]).toEqual([503, UNAVAILABLE])
        expect(response.durationMs).toBeLessThan(5_000 + SLACK_MS)
      }
      for (const response of [wished, preferred]) {
        expect([response.status, response.body['code']]).toEqual([503, UNAVAILABLE])
        expect(response.durationMs).toBeLessThan(10_000 + SLACK_MS)
      }
      expect([cleared.status, cleared.body['code']]).toEqual([503, UNAVAILABLE])
      expect(cleared.durationMs).toBeLessThan(5_000 + SLACK_MS)
      expect(listed.status).toBe(200)
      expect(listed.body).toMatchObject({ size: 1, sections: { wishes: { status: 'stale' } } })
      expect(listed.durationMs).toBeLessThan(2_500 + SLACK_MS)
    }

    await expect.poll(async () => (await mint(key)).status, { timeout: 20_000 }).toBe(201)
    expect((await list()).body).toMatchObject({ size: 1, degraded: false })
  })
})
