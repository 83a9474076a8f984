import { get } from 'node:http'
import { eventually, latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/http/build-app.ts'
import { renderOpenApi } from '../../src/http/openapi.ts'
import { createMetrics, noopTracer } from '../../src/telemetry/index.ts'
import { startTestApp } from './_app.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const sampled = `00-${traceId}-b7ad6b7169203331-01`
const requestId = 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV'

async function send(port: number, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('problems', () => {
  it('SEC-N07 exposes no internal detail', async () => {
    await using service = await startTestApp()
    for (const path of ['/fail?token=canary', '/throw-text']) {
      const { status, text } = await send(service.port, path)
      expect(status).toBe(500)
      expect(JSON.parse(text)).toMatchObject({ code: 'MELMASTOON.GENERAL.INTERNAL' })
      expect(text).not.toMatch(/canary|guests|db\.internal|stack/)
    }
    const log = service.lines.join('')
    expect(log).toContain('request failed')
    expect(log).not.toMatch(/token|guests/)
  })

  it('logs a response with 5xx as a warning', async () => {
    await using service = await startTestApp()
    await send(service.port, '/fail')
    const logged = () =>
      service.lines
        .map((line) => JSON.parse(line) as { message: string; severity: string; status?: number })
        .find(({ message }) => message === 'request')
    await expect.poll(logged).toMatchObject({ severity: 'WARNING', status: 500 })
  })

  it('P2 contains request id, trace id, path and Retry-After', async () => {
    await using service = await startTestApp()
    const headers = { 'x-request-id': requestId, traceparent: sampled }
    const response = await send(service.port, '/limited?a=b', headers)
    expect(response.headers.get('retry-after')).toBe('7')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const document = JSON.parse(response.text)
    expect(document).toMatchObject({ requestId, traceId, instance: '/limited', retryAfter: 7 })
  })
})

describe('headers', () => {
  it('echoes a valid request id and replaces anything else', async () => {
    await using service = await startTestApp()
    const given = await send(service.port, '/notes/1', { 'x-request-id': requestId })
    expect(given.headers.get('x-request-id')).toBe(requestId)
    for (const bad of ['x', 'req_lower', `${requestId}0`, 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
      const response = await send(service.port, '/notes/1', { 'x-request-id': bad })
      const made = response.headers.get('x-request-id')
      expect(made).toMatch(/^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    }
  })

  it('sends the security headers', async () => {
    await using service = await startTestApp()
    const { headers } = await send(service.port, '/notes/1')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it.each([
    [0, '127.0.0.1'],
    [1, '10.0.0.2'],
    [2, '10.0.0.1'],
  ])('SEC-N10 trusts exactly %i proxies', async (trustProxyHops, ip) => {
    await using service = await startTestApp({ trustProxyHops })
    const headers = { 'x-forwarded-for': '6.6.6.6, 10.0.0.1, 10.0.0.2' }
    expect(JSON.parse((await send(service.port, '/address', headers)).text).ip).toBe(ip)
  })
})

describe('traces', () => {
  it('P13 records a server span inside the trace of the caller, by route and not by path', async () => {
    await using service = await startTestApp()
    await send(service.port, '/notes/canary', { traceparent: sampled })
    await eventually(async () => {
      await service.tracer.flush()
      expect(service.exporter.getFinishedSpans()).toHaveLength(1)
    })
    const [span] = service.exporter.getFinishedSpans()
    expect(span?.name).toBe('GET /notes/:id')
    expect(span?.spanContext().traceId).toBe(traceId)
    expect(span?.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
    expect(span?.attributes['http.response.status_code']).toBe(200)
    expect(JSON.stringify([span?.attributes, span?.name])).not.toContain('canary')
  })

  it('an untrusted caller keeps its trace id but cannot force recording', async () => {
    await using service = await startTestApp({ trustsCallerSampling: false })
    const response = await send(service.port, '/limited', { traceparent: sampled })
    expect(JSON.parse(response.text).traceId).toBe(traceId)
    await service.tracer.flush()
    expect(service.exporter.getFinishedSpans()).toHaveLength(0)
  })

  it('continues an unsampled trace and starts a new one after an invalid header', async () => {
    await using service = await startTestApp({ tracer: noopTracer })
    const traceOf = async (traceparent: string) =>
      JSON.parse((await send(service.port, '/limited', { traceparent })).text).traceId
    expect(await traceOf(sampled.replace(/01$/, '00'))).toBe(traceId)
    const fresh = await traceOf('garbage')
    expect(fresh).toMatch(/^[0-9a-f]{32}$/)
    expect(fresh).not.toBe(traceId)
  })
})

describe('deadlines', () => {
  it('cancels the work for a client that disconnected and counts it once', async () => {
    const [entered, cancelled] = [latch(), latch()]
    const metrics = createMetrics('test')
    const app = await buildApp({ service: 'test', metrics })
    app.get('/wait', async (request) => {
      request.deadline.signal.addEventListener('abort', () => cancelled.open())
      entered.open()
      await cancelled.promise
      return {}
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const client = get({ host: '127.0.0.1', port, path: '/wait' }).on('error', () => {})
    await entered.promise
    expect(await metrics.render()).toContain('test_request_inflight{route="/wait"} 1')
    client.destroy()
    await cancelled.promise
    await eventually(async () => {
      expect(await metrics.render()).toContain('test_request_inflight{route="/wait"} 0')
    })
    await app.close()
  })

  it('returns 504 when the deadline of a route is exceeded', async () => {
    const app = await buildApp({ service: 'test' })
    app.get('/wait', { config: { deadlineMs: 50 } }, async ({ deadline }) => {
      const { promise, reject } = Promise.withResolvers()
      deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason))
      return promise
    })
    const response = await app.inject('/wait')
    expect(response.statusCode).toBe(504)
    expect(response.json().code).toBe('MELMASTOON.GENERAL.DEADLINE_EXCEEDED')
    await app.close()
  })
})

describe('health and metrics', () => {
  const checks = (state: { redis: boolean; cache: boolean }) => [
    {
      name: 'redis',
      run: async () => {
        if (!state.redis) throw new Error('down at redis.internal')
      },
    },
    {
      name: 'cache',
      required: false,
      run: async () => {
        if (!state.cache) throw new Error('down')
      },
    },
    { name: 'postgres', required: false, run: () => new Promise(() => {}) },
  ]

  it('ECO-08 a dependency outage makes an instance unready, never dead', async () => {
    const state = { redis: true, cache: false }
    await using service = await startTestApp({ checks: checks(state) })
    const ready = await send(service.port, '/health/ready')
    expect(ready.status).toBe(200)
    expect(JSON.parse(ready.text).checks).toEqual({
      redis: 'ok',
      cache: 'failed',
      postgres: 'timeout',
    })
    state.redis = false
    const unready = await send(service.port, '/health/ready')
    expect(unready.status).toBe(503)
    expect(JSON.parse(unready.text)).toMatchObject({ checks: { redis: 'failed' } })
    expect(unready.text).not.toContain('internal')
    expect((await send(service.port, '/health/live')).status).toBe(200)
  })

  it('serves metrics only on the internal listener', async () => {
    await using open = await startTestApp()
    expect((await send(open.port, '/metrics')).status).toBe(404)
    await using internal = await startTestApp({ internal: true })
    await send(internal.port, '/notes/1')
    await send(internal.port, '/random/1')
    await send(internal.port, '/random/2')
    const { text } = await send(internal.port, '/metrics')
    expect(text).toContain(
      'test_request_total{route="/notes/:id",method="GET",status_class="2xx"} 1',
    )
    expect(text).toContain(
      'test_request_total{route="unmatched",method="ANY",status_class="4xx"} 2',
    )
    expect(text).not.toContain('random')
  })

  it('SEC-N06 sheds load while the event loop is delayed, except health checks', async () => {
    await using service = await startTestApp({ maxEventLoopDelayMs: 20 })
    const block = () => {
      const endMs = performance.now() + 150
      while (performance.now() < endMs);
    }
    const blocking = setInterval(block, 1)
    const statuses = await eventually(async () => {
      const shed = await service.app.inject('/notes/1')
      expect(shed.statusCode).toBe(503)
      expect(shed.headers['retry-after']).toBe('1')
      expect(shed.json().code).toBe('MELMASTOON.GENERAL.OVERLOADED')
      return [(await service.app.inject('/health/live')).statusCode]
    })
    clearInterval(blocking)
    expect(statuses).toEqual([200])
    await eventually(async () => {
      expect((await service.app.inject('/notes/1')).statusCode).toBe(200)
    })
  })
})

describe('OpenAPI', () => {
  it('P14 documents routes the same way every time and serves them at /docs', async () => {
    const render = async () => {
      await using service = await startTestApp({ openapi: { title: 'Test', version: '1.0.0' } })
      expect((await send(service.port, '/docs/')).status).toBe(200)
      return renderOpenApi(service.app)
    }
    const [first, second] = [await render(), await render()]
    expect(first).toBe(second)
    const document = JSON.parse(first)
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/notes', '/notes/{id}', '/fail']),
    )
    expect(document.paths['/health/live']).toBeUndefined()
    const post = document.paths['/notes'].post
    expect(post['x-operation']).toBe('note.place')
    expect(post.requestBody.content['application/json'].schema.additionalProperties).toBe(false)
    const problem = post.responses.default.content['application/problem+json'].schema
    expect(problem).toEqual({ $ref: '#/components/schemas/Problem' })
  })
})
