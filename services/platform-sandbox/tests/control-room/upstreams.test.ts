import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type RunningSandbox,
  type Stage,
  send,
  serviceHeaders,
  setStage,
  startSandbox,
} from '../start-sandbox.ts'
import { visitPage } from './visit-page.ts'

const TENANTS = `/upstreams/tenant${tenantContract.basePath}/tenants`

describe('breaking and mending upstreams', () => {
  let stage: Stage
  let sandbox: RunningSandbox

  beforeAll(async () => {
    stage = await setStage()
    sandbox = await startSandbox(stage)
  })
  afterEach(() => sandbox.ctx.scenarios.mendAll())
  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]()
    await stage[Symbol.asyncDispose]()
  })

  const listTenants = async () =>
    (await send(sandbox.url, 'GET', TENANTS, { headers: serviceHeaders() })).status

  const api = (path: string, json?: unknown) =>
    send(sandbox.url, 'POST', `/admin/api${path}`, json === undefined ? {} : { json })

  it('breaks an upstream with one button and mends it with another', async () => {
    const broken = await (await visitPage(sandbox.url)).press('Down: tenant')
    expect(broken.section('upstreams')).toContain('answers 503')
    expect(broken.html).toContain('1 broken')
    expect(broken.html).toContain('The upstream is broken.')
    expect(await listTenants()).toBe(503)
    const mended = await broken.press('Mend tenant')
    expect(mended.html).toContain('all well')
    expect(await listTenants()).toBe(200)
  })

  it.each([
    ['Slow: tenant', 'takes 2000 ms longer'],
    ['Hang: tenant', 'never answers'],
    ['Lie: tenant', 'answers what its contract forbids'],
    ['Flaky: tenant', 'fails 50 of 100 calls'],
  ])('has a button %s', async (label, state) => {
    const page = await (await visitPage(sandbox.url)).press(label)
    expect(page.section('upstreams')).toContain(state)
  })

  it('takes the details of the form: one operation, its delay', async () => {
    const page = await visitPage(sandbox.url)
    const after = await page.press('Slow: tenant', { operation: 'listTenants', delayMs: '350' })
    expect(after.section('upstreams')).toContain('<code>listTenants</code> takes 350 ms longer')
    expect(sandbox.ctx.scenarios.brokenParts()).toEqual([
      { upstream: 'tenant', operation: 'listTenants', fault: { kind: 'slow', delayMs: 350 } },
    ])
  })

  it('mends all with one button', async () => {
    const first = await (await visitPage(sandbox.url)).press('Down: tenant')
    const after = await first.press('Mend all')
    expect(after.html).toContain('all well')
    expect(sandbox.ctx.scenarios.brokenParts()).toEqual([])
  })

  it('says what was wrong with a form and changes nothing', async () => {
    const page = await visitPage(sandbox.url)
    const after = await page.press('Slow: tenant', { delayMs: '-5' })
    expect(after.html).toContain('MELMASTOON.GENERAL.VALIDATION_FAILED')
    const unknown = await page.press('Down: tenant', { operation: 'danceAll' })
    expect(unknown.html).toContain('MELMASTOON.GENERAL.VALIDATION_FAILED')
    expect(sandbox.ctx.scenarios.brokenParts()).toEqual([])
  })

  it('does the same for scripts', async () => {
    const broken = await api('/upstreams/tenant/break', { kind: 'down', reset: true })
    const parts = [{ upstream: 'tenant', operation: null, fault: { kind: 'down', reset: true } }]
    expect(broken).toMatchObject({ status: 200, body: { broken: parts } })
    expect((await send(sandbox.url, 'GET', '/admin/api/upstreams')).body).toEqual({ broken: parts })
    await expect(listTenants()).rejects.toThrow('fetch failed')
    const mended = await api('/upstreams/tenant/mend')
    expect(mended).toMatchObject({ status: 200, body: { broken: [] } })
    expect(await listTenants()).toBe(200)
  })

  it.each([
    ['/upstreams/weather/break', { kind: 'down' }],
    ['/upstreams/tenant/break', { kind: 'asleep' }],
    ['/upstreams/tenant/break', { kind: 'slow', delayMs: 90_000 }],
    ['/upstreams/tenant/break', { kind: 'down', because: 'x' }],
    ['/upstreams/tenant/break', {}],
  ])('refuses scripts that ask %s %o', async (path, json) => {
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
