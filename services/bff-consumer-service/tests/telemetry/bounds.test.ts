import { newId } from '@melmastoon/domain'
import { startTcpProxy, type TcpProxy } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeUpstreams, startFakeUpstreams } from '../harness/fake-upstreams/index.ts'
import { disableSampling, finishBackgroundWork } from '../harness/published-events.ts'
import {
  consumerEnvironment,
  createGuest,
  post,
  type RunningConsumer,
  startConsumer,
  type TestEnvironment,
} from '../harness/start-consumer.ts'

/** The capacity of the batcher. */
const QUEUED_MAX = 10_000

let upstreams: FakeUpstreams
let environment: TestEnvironment
let proxy: TcpProxy
let service: RunningConsumer

beforeAll(async () => {
  upstreams = await startFakeUpstreams()
  environment = await consumerEnvironment(upstreams)
  proxy = await startTcpProxy(environment.env['DATABASE_APP_URL'] ?? '')
  service = await startConsumer({ env: { ...environment.env, DATABASE_APP_URL: proxy.url } })
  await disableSampling({ service })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
  await upstreams[Symbol.asyncDispose]()
})

async function measure(name: string): Promise<number> {
  const text = await service.ctx.metrics.render()
  const sums = text.matchAll(new RegExp(`^bff_consumer_${name}(?:{[^}]*})? (\\d+)$`, 'gm'))
  return [...sums].reduce((sum, [, value]) => sum + Number(value), 0)
}

describe('C8 telemetry that cannot be written', () => {
  it('is queued up to a bound, then dropped and counted, and does not affect responses', async () => {
    const guest = await createGuest(service.url)
    await finishBackgroundWork({ service })
    await proxy.setMode({ kind: 'refuse' })
    const { telemetry } = service.ctx
    const step = (at: number) => funnelStep(guest.id, at)
    for (let at = 0; at < QUEUED_MAX; at += 1) expect(telemetry.add(step(at))).toBe(true)
    expect(await measure('telemetry_dropped_total')).toBe(0)

    const headers = { cookie: guest.cookie }
    const json = { path: '/search' }
    const beacon = await post(service.url, '/telemetry/page-view', { json, headers })
    expect(beacon.status).toBe(204)
    await expect.poll(() => measure('telemetry_dropped_total')).toBe(1)

    await proxy.setMode({ kind: 'pass' })
    const written = async () => {
      const [row] = await environment.query<{
        n: string
      }>(`select (select count(*) from bff_consumer.outbox where ordering_key = '${guest.id}')
              + (select count(*) from bff_consumer.outbox_published
                  where ordering_key = '${guest.id}') as n`)
      return Number(row?.n)
    }
    // The start of the session and all queued events.
    await expect.poll(written, { timeout: 20_000, interval: 200 }).toBe(QUEUED_MAX + 1)
  })
})

/** The event of the funnel beacon, without ten thousand requests. */
function funnelStep(guestSessionId: string, at: number) {
  const { registry, config, clock } = service.ctx
  const payload = {
    funnelEventId: newId('cfe'),
    guestSessionId,
    step: 'map.opened' as const,
    occurredAt: clock.now().toISOString(),
    metadata: { position: at },
  }
  return registry.build('melmastoon.bff.consumer.funnel_step.recorded.v1', payload, {
    producerInstance: config.instance,
    tenantId: null,
    requestId: newId('req'),
    traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
    occurredAt: clock.now(),
    sessionId: guestSessionId,
  })
}
