import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toProblem } from '../../src/http/to-problem.ts'
import { startTestApp } from './_app.ts'
import { type RawResponse, request, sendRaw } from './_raw-socket.ts'

const openapi = { title: 'Test', version: '1.0.0' }
let service: Awaited<ReturnType<typeof startTestApp>>

beforeAll(async () => {
  service = await startTestApp({ openapi })
})
afterAll(() => service[Symbol.asyncDispose]())

const GENERAL = 'MELMASTOON.GENERAL.'

function send(port: number, method: string, path: string, headers = {}): Promise<RawResponse> {
  return sendRaw(port, request(method, path, { connection: 'close', ...headers }))
}

function expectProblem(response: RawResponse, status: number, code: string) {
  expect(response.status).toBe(status)
  expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(JSON.parse(response.body)).toMatchObject({ status, code: GENERAL + code })
}

describe('methods without a route', () => {
  it.each(['QUERY', 'PROPFIND', 'M-SEARCH', 'TRACE', 'PURGE', 'LINK', 'LOCK', 'REPORT'])(
    '%s is 405 on a known path and 404 on an unknown one',
    async (method) => {
      const known = await send(service.port, method, '/notes')
      expectProblem(known, 405, 'METHOD_NOT_ALLOWED')
      expect(known.headers['allow']).toBe('GET, HEAD, POST, OPTIONS')
      expectProblem(await send(service.port, method, '/nothing'), 404, 'ROUTE_NOT_FOUND')
    },
  )

  it('QUERY with a body is 405', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '2' }
    const text = request('QUERY', '/notes', { connection: 'close', ...headers }, '{}')
    expectProblem(await sendRaw(service.port, text), 405, 'METHOD_NOT_ALLOWED')
  })
})

describe('paths below /docs', () => {
  it.each([
    ['GET', '/docs/../package.json', 404, 'ROUTE_NOT_FOUND'],
    ['GET', '/docs/%2e%2e/%2e%2e/package.json', 404, 'ROUTE_NOT_FOUND'],
    ['GET', '/docs/%00', 404, 'ROUTE_NOT_FOUND'],
    ['GET', '/docs/missing', 404, 'ROUTE_NOT_FOUND'],
    ['GET', '/docs/static/missing.js', 404, 'ROUTE_NOT_FOUND'],
    ['GET', '/docs/static/..%2f..%2fpackage.json', 404, 'ROUTE_NOT_FOUND'],
    ['GET', '/docs/static/../../package.json', 403, 'FORBIDDEN'],
    ['GET', '/docs/static/%2e%2e/%2e%2e/package.json', 403, 'FORBIDDEN'],
    ['GET', '/docs/static/a%5c..%5cb', 403, 'FORBIDDEN'],
    ['GET', '/docs/static/%00', 403, 'FORBIDDEN'],
    ['GET', '/docs/static/.', 403, 'FORBIDDEN'],
    ['GET', `/docs/static/${'a'.repeat(5000)}`, 403, 'FORBIDDEN'],
    ['GET', '/docs/static/%', 400, 'VALIDATION_FAILED'],
    ['GET', '/docs/static/%c0%af', 400, 'VALIDATION_FAILED'],
    ['POST', '/docs', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/docs/static/index.html', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/docs/static/missing', 405, 'METHOD_NOT_ALLOWED'],
    ['QUERY', '/docs/json', 405, 'METHOD_NOT_ALLOWED'],
  ])('%s %s is %i', async (...[method, path, status, code]) => {
    expectProblem(await send(service.port, method, path), status, code)
  })

  it.each(['/docs', '/docs/', '/docs/json', '/docs/yaml'])('GET and HEAD %s', async (path) => {
    expect((await send(service.port, 'GET', path)).status).toBe(200)
    expect((await send(service.port, 'HEAD', path)).status).toBe(200)
  })
})

describe('errors of the framework', () => {
  it.each([
    ['FST_ERR_SOMETHING_NEW', 400, 'VALIDATION_FAILED', 400],
    ['FST_ERR_SOMETHING_NEW', 404, 'ROUTE_NOT_FOUND', 404],
    ['FST_ERR_SOMETHING_NEW', 418, 'VALIDATION_FAILED', 400],
    ['FST_ERR_ROUTE_MISSING_CONTENT_TYPE', 400, 'VALIDATION_FAILED', 400],
    ['FST_ERR_SOMETHING_NEW', 500, 'INTERNAL', 500],
    ['SOME_LIBRARY_ERROR', 404, 'INTERNAL', 500],
  ])('%s with status %i becomes %s', (...[code, statusCode, name, status]) => {
    const { code: mapped, status: sent } = toProblem(
      Object.assign(new Error('x'), { code, statusCode }),
    )
    expect([mapped, sent]).toEqual([GENERAL + name, status])
  })
})

describe('limits per address', () => {
  const few = (name: string) => ({ name, limit: 60, periodSeconds: 60, burst: 3 })
  const addressLimits = { health: few('health'), docs: few('docs'), unmatched: few('unmatched') }
  const cases = [
    ['GET', '/health/live'],
    ['GET', '/docs/json'],
    ['GET', '/nothing'],
    ['PUT', '/notes'],
  ] as const

  async function statuses(port: number, [method, path]: readonly [string, string], count: number) {
    const found: number[] = []
    for (let sent = 0; sent < count; sent += 1) found.push((await send(port, method, path)).status)
    return found
  }

  it.each(cases)('%s %s is 429 beyond its burst', async (...target) => {
    await using limited = await startTestApp({ openapi, addressLimits })
    const found = await statuses(limited.port, target, 4)
    expect(found.slice(0, 3)).not.toContain(429)
    expect(found[3]).toBe(429)
    const response = await send(limited.port, ...target)
    expectProblem(response, 429, 'RATE_LIMITED')
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect((await send(limited.port, 'GET', '/notes/1')).status).toBe(200)
  })

  it('does not apply to the internal listener', async () => {
    await using internal = await startTestApp({ openapi, addressLimits, internal: true })
    for (const target of cases) {
      expect(await statuses(internal.port, target, 6)).not.toContain(429)
    }
  })

  it('lets health checks pass by default: 100 in a row from one address', async () => {
    await using standard = await startTestApp()
    const found = await statuses(standard.port, ['GET', '/health/ready'], 100)
    expect(new Set(found)).toEqual(new Set([200]))
  })

  it('runs readiness checks once for requests at the same time', async () => {
    let runs = 0
    const check = {
      name: 'db',
      run: () => new Promise((resolve) => setTimeout(resolve, 100, ++runs)),
    }
    await using checked = await startTestApp({ checks: [check] })
    const all = Array.from({ length: 20 }, () => send(checked.port, 'GET', '/health/ready'))
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
    expect(runs).toBeLessThan(5)
  })
})
