import { sql } from '@melmastoon/chassis/db'
import { expect, it } from 'vitest'
import { startFakeUpstreams } from '../harness/fake-upstreams/index.ts'
import { startPlatformPublisher } from '../harness/platform-events.ts'
import { consumerEnvironment, startConsumer } from '../harness/start-consumer.ts'

const POLL_FAST = { timeout: 1_000, interval: 20 }
const UNREACHABLE = 'postgres://nobody@127.0.0.1:1/none'

it('D23 a suspension takes effect within a second while Postgres is down', async () => {
  await using upstreams = await startFakeUpstreams()
  await using environment = await consumerEnvironment(upstreams)
  const env = { ...environment.env, DATABASE_APP_URL: UNREACHABLE, DATABASE_RELAY_URL: UNREACHABLE }
  await using service = await startConsumer({ env })
  await using platform = startPlatformPublisher(environment)
  const [first, second] = upstreams.hotels
  if (first === undefined || second === undefined) throw new TypeError('two hotels')
  const { blocked, db } = service.ctx
  await expect(db.query(sql`select 1`)).rejects.toBeInstanceOf(Error)
  // The subscription is active once the first suspension has taken effect.
  await platform.suspend(first.tenantId)
  await expect.poll(() => blocked.has(first.tenantId), { timeout: 10_000 }).toBe(true)
  await platform.suspend(second.tenantId)
  await expect.poll(() => blocked.has(second.tenantId), POLL_FAST).toBe(true)
  await platform.reactivate(second.tenantId)
  await expect.poll(() => blocked.has(second.tenantId), POLL_FAST).toBe(false)
})
