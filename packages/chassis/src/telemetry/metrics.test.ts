import { describe, expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

describe('metrics', () => {
  it('renders prefixed names and shares a metric that is defined twice', async () => {
    const metrics = createMetrics('bff_x')
    const spec = { name: 'cache_hit_total', help: 'Hits.', labels: ['cache'] } as const
    metrics.counter(spec).inc({ cache: 'search' })
    metrics.counter(spec).inc({ cache: 'search' }, 2)
    metrics.gauge({ name: 'outbox_depth', help: 'Rows.' }).set({}, 7)
    const text = await metrics.render()
    expect(text).toContain('bff_x_cache_hit_total{cache="search"} 3')
    expect(text).toContain('bff_x_outbox_depth 7')
  })

  it('evaluates a collected gauge only when scraped', async () => {
    const metrics = createMetrics('bff_x')
    let calls = 0
    const collect = (gauge: { set(labels: object, value: number): void }) => gauge.set({}, ++calls)
    metrics.gauge({ name: 'pool_inuse', help: 'Connections.', collect })
    expect(calls).toBe(0)
    expect(await metrics.render()).toContain('bff_x_pool_inuse 1')
  })

  it('reports for how much of the time since the last scrape the event loop was busy', async () => {
    const metrics = createMetrics('bff_x', { process: true })
    const scrape = async () => {
      const text = await metrics.render()
      return Number(/^bff_x_nodejs_eventloop_utilization_ratio (\S+)$/m.exec(text)?.[1])
    }
    await scrape()
    const idle = Promise.withResolvers<void>()
    setTimeout(idle.resolve, 100)
    await idle.promise
    const waiting = await scrape()
    const endsAtMs = performance.now() + 100
    while (performance.now() < endsAtMs);
    // What is busy is measured when the turn has ended.
    await new Promise(setImmediate)
    const busy = await scrape()
    expect(busy).toBeGreaterThan(waiting)
    expect(busy).toBeLessThanOrEqual(1)
  })

  it('rejects labels whose values grow with the number of customers', () => {
    const metrics = createMetrics('bff_x')
    for (const label of ['tenant_id', 'session', 'request_id', 'operator']) {
      expect(() => metrics.counter({ name: 'n', help: 'h', labels: [label] })).toThrow(TypeError)
    }
  })

  it('ECO-06 limits the number of series without losing counts', async () => {
    const metrics = createMetrics('bff_x')
    const counter = metrics.counter({ name: 'n_total', help: 'h', labels: ['reason'] })
    for (let i = 0; i < 5000; i++) counter.inc({ reason: `r${i}` })
    const lines = (await metrics.render()).split('\n').filter((l) => l.startsWith('bff_x_n_total'))
    expect(lines.length).toBeLessThanOrEqual(300)
    const sum = lines.reduce((total, line) => total + Number(line.split(' ')[1]), 0)
    expect(sum).toBe(5000)
  })

  it('counts requests by route, method and class of status', async () => {
    const metrics = createMetrics('bff_x')
    const series = metrics.requests.series('/a/:id', 'GET')
    series.start()
    series.start()
    series.finish(200, 0.004)
    series.start()
    series.finish(503, 20)
    metrics.requests.countError('/a/:id', 'MELMASTOON.GENERAL.OVERLOADED')
    const text = await metrics.render()
    const labels = 'route="/a/:id",method="GET"'
    expect(text).toContain(`bff_x_request_total{${labels},status_class="2xx"} 1`)
    expect(text).toContain(`bff_x_request_total{${labels},status_class="5xx"} 1`)
    expect(text).toContain('bff_x_request_inflight{route="/a/:id"} 1')
    expect(text).toContain(`bff_x_request_duration_seconds_bucket{${labels},le="0.005"} 1`)
    expect(text).toContain(`bff_x_request_duration_seconds_bucket{${labels},le="10"} 1`)
    expect(text).toContain(`bff_x_request_duration_seconds_bucket{${labels},le="+Inf"} 2`)
    expect(text).toContain(`bff_x_request_duration_seconds_count{${labels}} 2`)
    expect(text).toContain('error_code="MELMASTOON.GENERAL.OVERLOADED"} 1')
  })
})
