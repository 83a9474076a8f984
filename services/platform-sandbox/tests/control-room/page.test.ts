import { mutatingRoutesWithoutIdempotency } from '@melmastoon/chassis/http'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ACTIONS } from '../../src/control-room/actions/actions.ts'
import {
  type RunningSandbox,
  sandboxEnvironment,
  send,
  serviceHeaders,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { visitPage } from './visit-page.ts'

const TENANTS = `/upstreams/tenant${tenantContract.basePath}/tenants`

describe('the page of the control room', () => {
  let environment: TestEnvironment
  let sandbox: RunningSandbox

  beforeAll(async () => {
    environment = await sandboxEnvironment()
    sandbox = await startSandbox(environment)
  })
  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]()
    await environment[Symbol.asyncDispose]()
  })

  it('allows only its own files', async () => {
    const { response } = await visitPage(sandbox.url)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; " +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  })

  it('has a language, one title, named sections and a label for every field', async () => {
    const { html } = await visitPage(sandbox.url)
    expect(html).toMatch(/^<!doctype html>\n<html lang="en"/)
    expect(html.match(/<h1\b/g)).toHaveLength(1)
    for (const [, id] of html.matchAll(/<section id="(\w+)"/g)) {
      expect(html).toContain(`aria-labelledby="${id}-title"`)
      expect(html).toContain(`<h2 id="${id}-title">`)
      expect(html).toContain(`href="#${id}"`)
    }
    for (const [field] of html.matchAll(/<(input|select)\b(?![^>]*type="hidden")[^>]*>/g)) {
      const id = /\bid="(\w+)"/.exec(field)?.[1]
      const before = html.slice(0, html.indexOf(field))
      const isWithin = before.lastIndexOf('<label') > before.lastIndexOf('</label>')
      expect(isWithin || html.includes(`<label for="${id}">`), field).toBe(true)
    }
  })

  it('shows that no world was seeded, and its address', async () => {
    const page = await visitPage(sandbox.url)
    expect(page.section('world')).toContain('No demo world has been seeded.')
    expect(page.html).toContain('it listens on 127.0.0.1')
  })

  it('has no inline script, style or handler', async () => {
    const { html } = await visitPage(sandbox.url)
    expect(html).not.toMatch(/\sstyle=|<style|\son\w+=|javascript:/i)
    expect(html.match(/<script\b[^>]*>/g)).toEqual([
      '<script type="module" src="/admin/assets/control-room.js">',
    ])
  })

  it.each([
    ['/admin/assets/control-room.css', 'text/css; charset=utf-8'],
    ['/admin/assets/control-room.js', 'text/javascript; charset=utf-8'],
  ])('serves %s with caching headers', async (path, type) => {
    const first = await send(sandbox.url, 'GET', path)
    expect([first.status, first.headers.get('content-type')]).toEqual([200, type])
    const etag = first.headers.get('etag') ?? ''
    const again = await send(sandbox.url, 'GET', path, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  it('has an action for every form', async () => {
    const { forms } = await visitPage(sandbox.url)
    const paths = ACTIONS.map(({ path }) => new RegExp(`^/admin${path.replace(/:\w+/g, '[^/]+')}$`))
    expect(forms.length).toBeGreaterThan(0)
    for (const { action } of forms) {
      const { pathname } = new URL(action, sandbox.url)
      expect(
        paths.some((path) => path.test(pathname)),
        pathname,
      ).toBe(true)
    }
  })

  it('shows no text from its URL', async () => {
    const hostile = encodeURIComponent('"><script>alert(1)</script>')
    const path = `/?q=${hostile}&tenant=${hostile}&property=${hostile}&done=${hostile}&failed=${hostile}`
    const { html, response } = await visitPage(sandbox.url, path)
    expect(response.status).toBe(200)
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('value="&#34;&#62;&#60;script&#62;')
    expect(html).not.toContain('class="notice')
  })

  it('responds only to host names of this machine', async () => {
    const port = new URL(sandbox.url).port
    const byName = (host: string) =>
      sandbox.app.inject({ method: 'GET', url: '/', headers: { host } })
    expect((await byName(`localhost:${port}`)).statusCode).toBe(200)
    expect((await byName(`[::1]:${port}`)).statusCode).toBe(200)
    expect((await byName(`rebound.example:${port}`)).statusCode).toBe(403)
    expect((await byName('127.0.0.1.rebound.example')).statusCode).toBe(403)
  })

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'http://127.0.0.1:1' }],
    ['no origin', { origin: 'null' }],
  ])('rejects form posts from %s', async (_, headers) => {
    for (const path of ['/admin/upstreams/mend-all', '/admin/api/upstreams/mend-all']) {
      const { status, body } = await send(sandbox.url, 'POST', path, { form: {}, headers })
      expect(status).toBe(403)
      expect(body['code']).toBe('MELMASTOON.GENERAL.CROSS_SITE_REQUEST')
    }
  })

  it('limits the size of a form', async () => {
    const path = '/admin/upstreams/mend-all'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const long = await send(sandbox.url, 'POST', path, { raw: `a=${'x'.repeat(9_000)}`, headers })
    expect(long.status).toBe(413)
    const many = await send(sandbox.url, 'POST', path, { raw: 'a=1&'.repeat(60), headers })
    expect(many.status).toBe(400)
  })

  it('accepts forms on no other route', async () => {
    const form = { slug: 'x' }
    const { status } = await send(sandbox.url, 'POST', '/upstreams/tenant/api/v1/tenants', { form })
    expect([401, 415]).toContain(status)
    expect(sandbox.app.hasContentTypeParser('application/x-www-form-urlencoded')).toBe(false)
  })

  it('is the only part of the sandbox with mutations without a key', () => {
    const routes = mutatingRoutesWithoutIdempotency(sandbox.app)
    const expected = ACTIONS.flatMap(({ path }) => [`POST /admin${path}`, `POST /admin/api${path}`])
    expect(routes.filter((route) => route.startsWith('POST /admin/'))).toEqual(expected.toSorted())
  })

  describe('faults of upstreams', () => {
    afterEach(() => sandbox.ctx.scenarios.restoreAll())

    const listTenants = async () =>
      (await send(sandbox.url, 'GET', TENANTS, { headers: serviceHeaders() })).status

    const api = (path: string, json?: unknown) =>
      send(sandbox.url, 'POST', `/admin/api${path}`, json === undefined ? {} : { json })

    it('sets a fault with one button and restores with another', async () => {
      const broken = await (await visitPage(sandbox.url)).press('Down: tenant')
      expect(broken.section('upstreams')).toContain('returns 503')
      expect(broken.html).toContain('1 faulty')
      expect(broken.html).toContain('The upstream is faulty.')
      expect(await listTenants()).toBe(503)
      const restored = await broken.press('Restore tenant')
      expect(restored.html).toContain('all available')
      expect(await listTenants()).toBe(200)
    })

    it.each([
      ['Slow: tenant', 'takes 2000 ms longer'],
      ['Lose requests: tenant', 'has no effect and never responds'],
      ['Lose responses: tenant', 'takes effect and never responds'],
      ['Invalid responses: tenant', 'returns responses that violate its contract'],
      ['Flaky: tenant', 'fails 50 of 100 calls'],
    ])('has a button %s', async (label, state) => {
      const page = await (await visitPage(sandbox.url)).press(label)
      expect(page.section('upstreams')).toContain(state)
    })

    it('applies the options of the form: one operation, its delay', async () => {
      const page = await visitPage(sandbox.url)
      const after = await page.press('Slow: tenant', { operation: 'listTenants', delayMs: '350' })
      expect(after.section('upstreams')).toContain('<code>listTenants</code> takes 350 ms longer')
      expect(sandbox.ctx.scenarios.faultyParts()).toEqual([
        { upstream: 'tenant', operation: 'listTenants', fault: { kind: 'slow', delayMs: 350 } },
      ])
    })

    it('restores all with one button', async () => {
      const first = await (await visitPage(sandbox.url)).press('Down: tenant')
      const after = await first.press('Restore all')
      expect(after.html).toContain('all available')
      expect(sandbox.ctx.scenarios.faultyParts()).toEqual([])
    })

    it('reports invalid form fields and changes nothing', async () => {
      const page = await visitPage(sandbox.url)
      const after = await page.press('Slow: tenant', { delayMs: '-5' })
      expect(after.html).toContain('MELMASTOON.GENERAL.VALIDATION_FAILED')
      const unknown = await page.press('Down: tenant', { operation: 'danceAll' })
      expect(unknown.html).toContain('MELMASTOON.GENERAL.VALIDATION_FAILED')
      expect(sandbox.ctx.scenarios.faultyParts()).toEqual([])
    })

    it('does the same for scripts', async () => {
      const broken = await api('/upstreams/tenant/break', { kind: 'down', reset: true })
      const parts = [{ upstream: 'tenant', operation: null, fault: { kind: 'down', reset: true } }]
      expect(broken).toMatchObject({ status: 200, body: { broken: parts } })
      expect((await send(sandbox.url, 'GET', '/admin/api/upstreams')).body).toEqual({
        broken: parts,
      })
      await expect(listTenants()).rejects.toThrow('fetch failed')
      const restored = await api('/upstreams/tenant/mend')
      expect(restored).toMatchObject({ status: 200, body: { broken: [] } })
      expect(await listTenants()).toBe(200)
    })

    it.each([
      ['/upstreams/weather/break', { kind: 'down' }],
      ['/upstreams/tenant/break', { kind: 'asleep' }],
      ['/upstreams/tenant/break', { kind: 'slow', delayMs: 90_000 }],
      ['/upstreams/tenant/break', { kind: 'down', because: 'x' }],
      ['/upstreams/tenant/break', {}],
    ])('rejects script calls of %s with %o', async (path, json) => {
      const { status, body } = await api(path, json)
      expect(status).toBe(400)
      expect(body['code']).toBe('MELMASTOON.GENERAL.VALIDATION_FAILED')
    })

    it('lists the triggers', async () => {
      const { body } = await send(sandbox.url, 'GET', '/admin/api/triggers')
      expect(body['triggers']).toContainEqual(
        expect.objectContaining({ value: 'X-Sandbox-Scenario: down' }),
      )
    })
  })
})
