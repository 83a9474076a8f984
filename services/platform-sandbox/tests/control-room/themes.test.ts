import { themeContract } from '@melmastoon/upstream-contracts/theme'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  clientFor,
  drainEvents,
  type RunningSandbox,
  type Stage,
  send,
  setStage,
  startSandbox,
} from '../start-sandbox.ts'
import { makeTheme } from '../theme/theme-fixture.ts'
import { visitPage } from './visit-page.ts'

describe('themes in the control room', () => {
  let stage: Stage
  let sandbox: RunningSandbox

  beforeAll(async () => {
    stage = await setStage()
    sandbox = await startSandbox(stage)
  })
  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]()
    await stage[Symbol.asyncDispose]()
  })

  async function publishedTheme() {
    const { params, publish } = await makeTheme(sandbox.url, 2)
    await publish(1)
    const read = () => clientFor(themeContract, sandbox.url).getPublished({ params })
    return { params, read, path: `/?tenant=${params.tenantId}` }
  }

  it('asks for a tenant first', async () => {
    expect((await visitPage(sandbox.url)).section('theme')).toContain('Choose a')
  })

  it('publishes the next version, then one of its own making, and rolls back', async () => {
    const { read, path } = await publishedTheme()
    const first = await visitPage(sandbox.url, path)
    const second = await first.press('Publish next theme')
    expect(await read()).toMatchObject({ version: 2 })
    const before = await read()
    const third = await second.press('Publish next theme')
    const after = await read()
    expect(after.version).toBe(3)
    expect(after.tokens.light.primary).toBe(before.tokens.light.accent)
    expect(after.tokens.dark.onAccent).toBe(before.tokens.dark.onPrimary)
    expect(third.section('theme')).toContain(`fill="${after.tokens.light.primary}"`)
    expect(third.section('theme')).toContain('shows version 3')
    const back = await third.press('Roll back')
    expect(await read()).toMatchObject({ version: 2, tokens: before.tokens })
    const [last] = (await drainEvents(stage, '%theme%')).slice(-1)
    expect(last?.payload).toMatchObject({ themeVersion: 2, previousVersion: 3 })
    expect(back.html).toContain('Guests see the theme before.')
  })

  it('says so when there is nothing to go back to', async () => {
    const { path, read } = await publishedTheme()
    const page = await (await visitPage(sandbox.url, path)).press('Roll back')
    expect(page.html).toContain('MELMASTOON.THEME.VERSION_NOT_FOUND')
    expect(await read()).toMatchObject({ version: 1 })
  })

  it('does the same for scripts', async () => {
    const { params } = await publishedTheme()
    const path = `/admin/api/tenants/${params.tenantId}/themes`
    const next = await send(sandbox.url, 'POST', `${path}/publish-next`)
    expect(next).toMatchObject({ status: 200, body: { version: 2, status: 'published' } })
    const back = await send(sandbox.url, 'POST', `${path}/roll-back`)
    expect(back).toMatchObject({ status: 200, body: { version: 1 } })
  })

  it('shows the rest of the page for a tenant without a theme', async () => {
    const page = await visitPage(sandbox.url, '/?tenant=tnt_01ARZ3NDEKTSV4RRFFQ69G5FAV')
    expect(page.answer.status).toBe(200)
    expect(page.section('theme')).toContain('MELMASTOON.THEME.NOT_FOUND')
    expect(page.section('upstreams')).toContain('well')
  })
})
