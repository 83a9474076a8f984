import { idToUuid, newId, type TenantId } from '@melmastoon/domain'
import { themePublished } from '@melmastoon/platform-events'
import { type FlowStep, themeContract } from '@melmastoon/upstream-contracts/theme'
import { describe, expect, it } from 'vitest'
import { startBehindLock } from '../start-behind-lock.ts'
import {
  clientFor,
  contracts,
  drainEvents,
  type RunningSandbox,
  rejectionOf,
  send,
  serviceHeaders,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { countOutcomes } from '../tenant/count-outcomes.ts'
import { makeTenant } from '../tenant/tenant-fixture.ts'
import { useSandbox } from '../use-sandbox.ts'
import { draftOf, makeTheme } from './theme-fixture.ts'

const BASE = '/upstreams/theme/api/v1/themes'

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

const themes = () => clientFor(themeContract, sandbox.url)

describe('a version', () => {
  it('is created once per key, numbered, and not yet published', async () => {
    const { tenant, params, own } = await makeTenant(sandbox.url)
    const path = `${BASE}/${tenant.tenantId}/versions`
    const headers = serviceHeaders(tenant.tenantId)
    const sent = { json: draftOf(10), key: newId('req'), headers }
    const first = await send(sandbox.url, 'POST', path, sent)
    const again = await send(sandbox.url, 'POST', path, sent)
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
    expect(first.body).toMatchObject({ version: 1, status: 'draft', ...draftOf(10) })
    expect(await rejectionOf(themes().getPublished({ params }))).toBe('MELMASTOON.THEME.NOT_FOUND')
    const second = await themes().createVersion({ params, body: draftOf(20) }, own())
    expect([second.version, second.themeId]).toEqual([2, first.body['themeId']])
  })

  it('gets a unique number in concurrent creations', async () => {
    const { params, own } = await makeTenant(sandbox.url)
    const calls = [1, 2, 3, 4, 5].map((hue) =>
      themes().createVersion({ params, body: draftOf(hue) }, own()),
    )
    const numbers = (await Promise.all(calls)).map(({ version }) => version)
    expect(new Set(numbers)).toEqual(new Set([1, 2, 3, 4, 5]))
    const { versions } = await themes().listVersions({ params }, own())
    expect(versions.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1])
  })

  it('is rejected with a pointer per pair of colours with too little contrast', async () => {
    const { tenant } = await makeTenant(sandbox.url)
    const draft = draftOf(200)
    const { light, dark } = draft.tokens
    const tokens = {
      ...draft.tokens,
      light: { ...light, onSurface: '#777777', surface: '#ffffff' },
      dark: { ...dark, border: dark.surface, onDanger: dark.danger },
    }
    const rejected = await send(sandbox.url, 'POST', `${BASE}/${tenant.tenantId}/versions`, {
      json: { ...draft, tokens },
      key: newId('req'),
      headers: serviceHeaders(tenant.tenantId),
    })
    expect([rejected.status, rejected.body['code']]).toEqual([
      422,
      'MELMASTOON.THEME.CONTRAST_TOO_LOW',
    ])
    expect(rejected.body['errors']).toMatchObject([
      { pointer: '/tokens/light/onSurface', code: 'contrast' },
      { pointer: '/tokens/dark/onDanger', code: 'contrast' },
      { pointer: '/tokens/dark/border', code: 'contrast' },
    ])
  })

  it('has the order of the booking pages, by default the usual one', async () => {
    const { params, own } = await makeTenant(sandbox.url)
    const create = (flow: Partial<ReturnType<typeof draftOf>['flow']>) => {
      const draft = draftOf(30)
      const body = { ...draft, flow: { ...draft.flow, ...flow } }
      return themes().createVersion({ params, body }, own())
    }
    expect((await create({})).flow.steps).toEqual([
      'rooms',
      'rates',
      'details',
      'payment',
      'confirmation',
    ])
    const steps = ['details', 'rooms', 'payment', 'confirmation'] as FlowStep[]
    const { version, flow } = await create({ steps })
    expect(flow.steps).toEqual(steps)
    await themes().publishVersion({ params: { ...params, version }, body: {} }, own())
    expect((await themes().getPublished({ params })).flow.steps).toEqual(steps)
  })

  it.each([
    [
      ['rooms', 'rates', 'details', 'confirmation'],
      ['missing', 'order'],
    ],
    [['rates', 'rooms', 'details', 'payment', 'confirmation'], ['order']],
    [['rooms', 'payment', 'details', 'confirmation'], ['order']],
    [['rooms', 'details', 'confirmation', 'payment'], ['order']],
  ])('is rejected with the pages %j', async (steps, codes) => {
    const { tenant } = await makeTenant(sandbox.url)
    const draft = draftOf(30)
    const rejected = await send(sandbox.url, 'POST', `${BASE}/${tenant.tenantId}/versions`, {
      json: { ...draft, flow: { ...draft.flow, steps } },
      key: newId('req'),
      headers: serviceHeaders(tenant.tenantId),
    })
    expect(rejected.status).toBe(400)
    const errors = rejected.body['errors'] as { pointer: string; code: string }[]
    expect(errors.map(({ pointer }) => pointer)).toEqual(codes.map(() => '/flow/steps'))
    expect(errors.map(({ code }) => code)).toEqual(codes)
  })

  it('is immutable for the service role', async () => {
    const change = sandbox.ctx.db.query({
      text: `update sandbox.theme_version set tokens = '{}'`,
      values: [],
    })
    await expect(change).rejects.toMatchObject({ cause: { sqlState: '42501' } })
  })
})

describe('a publication', () => {
  it('publishes a version, archives the previous one, and can roll back', async () => {
    const { params, own, publish } = await makeTheme(sandbox.url, 2)
    expect(await publish(1)).toMatchObject({ version: 1, status: 'published' })
    expect(await publish(2)).toMatchObject({ version: 2, status: 'published' })
    const back = await publish(1)
    expect(await themes().getPublished({ params })).toEqual(back)
    const { versions } = await themes().listVersions({ params }, own())
    expect(versions.map(({ version, status }) => [version, status])).toEqual([
      [2, 'archived'],
      [1, 'published'],
    ])
    expect(await publishedVersions(params.tenantId)).toEqual([
      [null, 1],
      [1, 2],
      [2, 1],
    ])
  })

  it('of a published version changes nothing and publishes no event', async () => {
    const { params, publish } = await makeTheme(sandbox.url, 1)
    const first = await publish(1)
    expect(await publish(1)).toEqual(first)
    expect(await publishedVersions(params.tenantId)).toEqual([[null, 1]])
  })

  it('happens once per key, and the response has the same bytes', async () => {
    const { params } = await makeTheme(sandbox.url, 2)
    const publish = (version: number, key: string) =>
      send(sandbox.url, 'POST', `${BASE}/${params.tenantId}/versions/${version}/publish`, {
        json: {},
        key,
        headers: serviceHeaders(params.tenantId),
      })
    const key = newId('req')
    const first = await publish(1, key)
    await publish(2, newId('req'))
    const again = await publish(1, key)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect((await themes().getPublished({ params })).version).toBe(2)
  })

  it('of an unknown version is rejected', async () => {
    const { publish } = await makeTheme(sandbox.url, 1)
    expect(await rejectionOf(publish(2))).toBe('MELMASTOON.THEME.VERSION_NOT_FOUND')
  })
})

describe('concurrent publications', () => {
  const RIVALS = [2, 3, 4, 5]

  it('end with one version published, and a consistent sequence of events', async () => {
    const { params, publish } = await makeTheme(sandbox.url, 5)
    await publish(1)
    expect(await countOutcomes(await race(publish, params.tenantId))).toEqual({
      done: RIVALS.length,
    })
    expect(await countPublished(params.tenantId)).toBe(1)
    const events = await publishedVersions(params.tenantId)
    expect(events).toHaveLength(1 + RIVALS.length)
    expect(events.map(([previous]) => previous)).toEqual([
      null,
      ...events.slice(0, -1).map(([, version]) => version),
    ])
    const [, last] = events.at(-1) ?? []
    expect((await themes().getPublished({ params })).version).toBe(last)
  })

  it('control: would all stay published without the index', async () => {
    const { params, publish } = await makeTheme(sandbox.url, 5)
    await publish(1)
    await using _ = await withoutIndex()
    expect(await countOutcomes(await race(publish, params.tenantId))).toEqual({
      done: RIVALS.length,
    })
    expect(await countPublished(params.tenantId)).toBe(RIVALS.length)
  })

  async function withoutIndex(): Promise<AsyncDisposable> {
    const name = 'sandbox.ux_theme_version_published'
    const read = 'select pg_get_indexdef($1::regclass) as definition'
    const [index] = await environment.query<{ definition: string }>(read, [name])
    await environment.query(`drop index ${name}`)
    return {
      async [Symbol.asyncDispose]() {
        await environment.query(`update sandbox.theme_version set status = 'archived'`)
        await environment.query(index?.definition ?? '')
      },
    }
  }

  /** All have seen version 1 published before the first of them archives it. */
  function race(publish: (version: number) => Promise<unknown>, tenantId: TenantId) {
    const own = `tenant_id = '${idToUuid(tenantId)}' and status = 'published'`
    const lock = `select from sandbox.theme_version where ${own} for update`
    return startBehindLock(environment, { lock, waiting: RIVALS.length }, () =>
      RIVALS.map((version) => publish(version)),
    )
  }
})

describe('another tenant', () => {
  it('can neither read, publish nor create versions', async () => {
    const { params, publish } = await makeTheme(sandbox.url, 1)
    await publish(1)
    const stranger = await makeTenant(sandbox.url)
    const version = { ...params, version: 1 }
    const codes = await Promise.all([
      rejectionOf(themes().listVersions({ params }, stranger.own())),
      rejectionOf(themes().createVersion({ params, body: draftOf(5) }, stranger.own())),
      rejectionOf(themes().publishVersion({ params: version, body: {} }, stranger.own())),
    ])
    expect(codes).toEqual([
      'MELMASTOON.THEME.NOT_FOUND',
      'MELMASTOON.THEME.NOT_FOUND',
      'MELMASTOON.THEME.VERSION_NOT_FOUND',
    ])
  })

  it('that does not exist has no theme', async () => {
    const tenantId = newId('tnt')
    const own = { tenantId, idempotencyKey: newId('req') }
    const params = { tenantId }
    const codes = await Promise.all([
      rejectionOf(themes().createVersion({ params, body: draftOf(5) }, own)),
      rejectionOf(themes().listVersions({ params }, own)),
      rejectionOf(themes().getPublished({ params })),
    ])
    expect(new Set(codes)).toEqual(new Set(['MELMASTOON.THEME.NOT_FOUND']))
  })
})

describe('peeks', () => {
  it('are in the requested order, without duplicates, for tenants with a published theme', async () => {
    const one = await makeTheme(sandbox.url, 1)
    const two = await makeTheme(sandbox.url, 2)
    const draft = await makeTheme(sandbox.url, 1)
    await one.publish(1)
    await two.publish(2)
    const [first, second, third] = [two, one, draft].map(({ params }) => params.tenantId)
    if (!first || !second || !third) throw new TypeError('made too few')
    const tenantIds = [first, newId('tnt'), third, second, first]
    const { peeks } = await themes().peekBrands({ body: { tenantIds } })
    expect(peeks.map(({ tenantId, version }) => [tenantId, version])).toEqual([
      [first, 2],
      [second, 1],
    ])
    expect(peeks[0]?.primaryColor).toBe(draftOf(80).tokens.light.primary)
  })
})

function countPublished(tenantId: TenantId): Promise<number> {
  const own = `tenant_id = '${idToUuid(tenantId)}' and status = 'published'`
  return environment.countRows('theme_version', own)
}

/** The published events of one tenant, in order: from which version to which. */
async function publishedVersions(tenantId: string): Promise<[number | null, number][]> {
  const events = await drainEvents(environment, themePublished.subject)
  for (const event of events) contracts.registry.validate(event)
  const payloads = events.map(
    ({ payload }) =>
      payload as { tenantId: string; themeVersion: number; previousVersion: number | null },
  )
  return payloads
    .filter((payload) => payload.tenantId === tenantId)
    .map(({ previousVersion, themeVersion }) => [previousVersion, themeVersion])
}
