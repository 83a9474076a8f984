import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  drainEvents,
  type RunningSandbox,
  type Stage,
  send,
  setStage,
  startSandbox,
} from '../start-sandbox.ts'
import { makeTenant } from '../tenant/tenant-fixture.ts'
import { visitPage } from './visit-page.ts'

describe('tenants in the control room', () => {
  let stage: Stage
  let sandbox: RunningSandbox

  beforeAll(async () => {
    stage = await setStage()
    sandbox = await startSandbox(stage)
    await create('serena', 'Serena of Kabul')
    await create('hostile', `</a><script>alert("pwned")</script><img src=x onerror='x'>`)
  })
  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]()
    await stage[Symbol.asyncDispose]()
  })

  async function create(slug: string, name: string) {
    const { tenant } = await makeTenant(sandbox.url, { slug, displayName: { default: name } })
    return tenant
  }

  it('finds them by name', async () => {
    const all = (await visitPage(sandbox.url)).section('tenants')
    expect(all).toContain('Serena of Kabul')
    expect(all).toContain('hostile')
    const found = (await visitPage(sandbox.url, '/?q=serena')).section('tenants')
    expect(found).toContain('Serena of Kabul')
    expect(found).not.toContain('hostile')
    const none = (await visitPage(sandbox.url, '/?q=nobody')).section('tenants')
    expect(none).toContain('No tenant has such a name.')
  })

  it('shows a hostile name as the text it is', async () => {
    const { html } = await visitPage(sandbox.url)
    expect(html).toContain('&#60;script&#62;alert(&#34;pwned&#34;)&#60;/script&#62;')
    expect(html).not.toMatch(/<script>|<img|onerror='/)
  })

  it('suspends and reactivates, keeps the search, and tells the platform', async () => {
    const page = await visitPage(sandbox.url, '/?q=serena')
    const suspended = await page.press('Suspend Serena of Kabul')
    expect(suspended.section('tenants')).toContain('<span class="badge bad">suspended</span>')
    expect(suspended.section('tenants')).not.toContain('hostile')
    const active = await suspended.press('Reactivate Serena of Kabul')
    expect(active.section('tenants')).toContain('<span class="badge good">active</span>')
    const events = await drainEvents(stage, 'melmastoon.tenant.%')
    const subjects = events.map(({ envelope }) => envelope.subject)
    expect(subjects.slice(-2)).toEqual([
      expect.stringContaining('suspended'),
      expect.stringContaining('reactivated'),
    ])
    expect(active.section('events')).toContain(subjects.at(-1))
  })

  it('says no when there is nothing to do', async () => {
    const page = await visitPage(sandbox.url, '/?q=serena')
    await page.press('Suspend Serena of Kabul')
    const again = await page.press('Suspend Serena of Kabul')
    expect(again.html).toContain('MELMASTOON.TENANT.ILLEGAL_TRANSITION')
    await again.press('Reactivate Serena of Kabul')
  })

  it('does the same for scripts', async () => {
    const { tenantId } = await create('scripted', 'Scripted')
    const path = `/admin/api/tenants/${tenantId}`
    const suspended = await send(sandbox.url, 'POST', `${path}/suspend`)
    expect(suspended).toMatchObject({ status: 200, body: { tenantId, status: 'suspended' } })
    const active = await send(sandbox.url, 'POST', `${path}/reactivate`)
    expect(active).toMatchObject({ status: 200, body: { tenantId, status: 'active' } })
    const nobody = await send(sandbox.url, 'POST', `/admin/api/tenants/${newId('tnt')}/suspend`)
    expect(nobody.body['code']).toBe('MELMASTOON.TENANT.NOT_FOUND')
  })
})
