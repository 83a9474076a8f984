import { newId } from '@melmastoon/domain'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { describe, expect, it } from 'vitest'
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
import { useSandbox } from '../use-sandbox.ts'
import { countOutcomes } from './count-outcomes.ts'
import { makeTenant, SETTINGS, tenantBody } from './tenant-fixture.ts'

const BASE = '/upstreams/tenant/api/v1/tenants'
const UNKNOWN_TENANT = newId('tnt')

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

const tenants = () => clientFor(tenantContract, sandbox.url)
const key = () => ({ idempotencyKey: newId('req') })

describe('a tenant', () => {
  it('is created once per key, found by id and by slug in any case', async () => {
    const json = tenantBody()
    const sent = { json, key: newId('req'), headers: serviceHeaders() }
    const first = await send(sandbox.url, 'POST', BASE, sent)
    const again = await send(sandbox.url, 'POST', BASE, sent)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(first.text)
    expect(first.body).toMatchObject({
      slug: json.slug,
      status: 'active',
      customDomains: [],
      config: { version: 1, ...SETTINGS },
    })
    const bySlug = await tenants().resolveSlug({ params: { slug: json.slug.toUpperCase() } })
    expect(bySlug).toEqual(first.body)
    const { tenantId } = bySlug
    expect(await tenants().getTenant({ params: { tenantId } })).toEqual(first.body)
  })

  it('is rejected with a slug that is taken, reserved or not a DNS label', async () => {
    const { tenant } = await makeTenant(sandbox.url)
    const body = tenantBody({ slug: tenant.slug })
    expect(await rejectionOf(tenants().createTenant({ body }, key()))).toBe(
      'MELMASTOON.TENANT.SLUG_TAKEN',
    )
    for (const slug of ['www', '-hotel', 'hotel-', 'Hotel', 'xn--abc', 'ho.tel', 'h'.repeat(64)]) {
      const rejected = await create({ ...tenantBody(), slug })
      expect([slug, rejected.status, rejected.pointers]).toEqual([slug, 400, ['/slug']])
    }
  })

  it('gets the slug once in concurrent requests', async () => {
    const body = tenantBody()
    const calls = Array.from({ length: 6 }, () => tenants().createTenant({ body }, key()))
    expect(await countOutcomes(calls)).toEqual({ done: 1, 'MELMASTOON.TENANT.SLUG_TAKEN': 5 })
  })

  it('is rejected with inconsistent settings, each with its pointer', async () => {
    const config = {
      ...SETTINGS,
      timeZone: 'Asia/Nowhere',
      locales: ['en'],
      currencies: ['USD'],
      paymentMethods: [],
    }
    const rejected = await create({ ...tenantBody(), config })
    expect(rejected.pointers).toEqual([
      '/config/timeZone',
      '/config/defaultLocale',
      '/config/primaryCurrency',
      '/config/paymentMethods',
    ])
  })

  it('that does not exist is not found by any operation', async () => {
    const params = { tenantId: UNKNOWN_TENANT }
    const own = { tenantId: UNKNOWN_TENANT, ...key() }
    const calls = [
      tenants().getTenant({ params }),
      tenants().resolveSlug({ params: { slug: 'unknown' } }),
      tenants().resolveDomain({ params: { domain: 'unknown.example' } }),
      tenants().resolveDomain({ params: { domain: '127.0.0.1' } }),
      tenants().suspend({ params, body: { reasonCode: 'unpaid' } }, own),
    ]
    const codes = await Promise.all(calls.map(rejectionOf))
    expect(new Set(codes)).toEqual(new Set(['MELMASTOON.TENANT.NOT_FOUND']))
  })

  async function create(json: unknown) {
    const options = { json, key: newId('req'), headers: serviceHeaders() }
    const { status, body } = await send(sandbox.url, 'POST', BASE, options)
    const errors = (body['errors'] ?? []) as { pointer: string }[]
    return { status, pointers: errors.map(({ pointer }) => pointer) }
  }
})

describe('another tenant', () => {
  it('cannot be changed, and appears not to exist', async () => {
    const { tenant, params } = await makeTenant(sandbox.url)
    const stranger = await makeTenant(sandbox.url)
    const calls = [
      tenants().updateConfig(
        { params, body: { expectedVersion: 1, changes: { paymentEnabled: false } } },
        stranger.own(),
      ),
      tenants().addDomain({ params, body: { domain: 'stolen.example' } }, stranger.own()),
      tenants().suspend({ params, body: { reasonCode: 'spite' } }, stranger.own()),
      tenants().reactivate({ params, body: {} }, stranger.own()),
    ]
    const codes = await Promise.all(calls.map(rejectionOf))
    expect(new Set(codes)).toEqual(new Set(['MELMASTOON.TENANT.NOT_FOUND']))
    expect(await tenants().getTenant({ params })).toEqual(tenant)
  })
})

describe('the list', () => {
  it('returns all tenants once, in pages, by status and by part of a name', async () => {
    const mark = newId('tnt').slice(-10).toLowerCase()
    const made = []
    for (let index = 0; index < 5; index += 1) {
      made.push(await makeTenant(sandbox.url, { slug: `p${index}-${mark}` }))
    }
    const [, second] = made
    if (second === undefined) throw new TypeError('made too few')
    const { params, own } = second
    await tenants().suspend({ params, body: { reasonCode: 'unpaid' } }, own())

    const seen: string[] = []
    let cursor: string | undefined
    do {
      const query = { q: mark.toUpperCase(), limit: 2, ...(cursor && { cursor }) }
      const page = await tenants().listTenants({ query })
      seen.push(...page.tenants.map(({ slug }) => slug))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual([0, 1, 2, 3, 4].map((index) => `p${index}-${mark}`))

    const suspended = await tenants().listTenants({ query: { q: mark, status: 'suspended' } })
    expect(suspended.tenants.map(({ slug }) => slug)).toEqual([`p1-${mark}`])
    expect(suspended).not.toHaveProperty('nextCursor')
  })

  it('treats wildcards as text, and rejects invalid cursors', async () => {
    expect((await tenants().listTenants({ query: { q: '%' } })).tenants).toEqual([])
    expect((await tenants().listTenants({ query: { q: 'هوټل' } })).tenants).not.toEqual([])
    expect(await rejectionOf(tenants().listTenants({ query: { cursor: '!!' } }))).toBe(
      'MELMASTOON.GENERAL.VALIDATION_FAILED',
    )
  })
})

describe('the settings', () => {
  it('increment the version and publish what changed', async () => {
    const { params, own } = await makeTenant(sandbox.url)
    const changes = { timeZone: 'Europe/Berlin', currencies: ['AFN' as const] }
    const options = own()
    const updated = await tenants().updateConfig(
      { params, body: { expectedVersion: 1, changes } },
      options,
    )
    expect(updated.config).toEqual({ version: 2, ...SETTINGS, ...changes })
    const again = await tenants().updateConfig(
      { params, body: { expectedVersion: 1, changes } },
      options,
    )
    expect(again).toEqual(updated)
    const [event, ...others] = await eventsOf(params.tenantId)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      envelope: { subject: 'melmastoon.tenant.config_updated.v1', tenantId: params.tenantId },
      payload: { configVersion: 2, changed: ['time_zone', 'currencies'] },
    })
  })

  it('are changed by one of two concurrent updates of the same version', async () => {
    const { params, own } = await makeTenant(sandbox.url)
    const calls = ['09:00', '10:00', '11:00', '13:00'].map((checkOutTime) =>
      tenants().updateConfig(
        { params, body: { expectedVersion: 1, changes: { checkOutTime } } },
        own(),
      ),
    )
    expect(await countOutcomes(calls)).toEqual({ done: 1, 'MELMASTOON.GENERAL.CONFLICT': 3 })
    expect((await tenants().getTenant({ params })).config.version).toBe(2)
  })

  it('stay unchanged, without an event, when nothing differs', async () => {
    const { tenant, params, own } = await makeTenant(sandbox.url)
    const body = { expectedVersion: 1, changes: { policies: SETTINGS.policies } }
    expect(await tenants().updateConfig({ params, body }, own())).toEqual(tenant)
    expect(await eventsOf(params.tenantId)).toEqual([])
  })

  it('are rejected when the result is inconsistent', async () => {
    const { params, own } = await makeTenant(sandbox.url)
    const body = { expectedVersion: 1, changes: { currencies: ['EUR' as const] } }
    expect(await rejectionOf(tenants().updateConfig({ params, body }, own()))).toBe(
      'MELMASTOON.GENERAL.VALIDATION_FAILED',
    )
    expect(await eventsOf(params.tenantId)).toEqual([])
  })
})

describe('a domain', () => {
  it('resolves to its tenant in any spelling, and publishes an event', async () => {
    const { params, own } = await makeTenant(sandbox.url)
    const name = newId('tnt').slice(-10).toLowerCase()
    const added = await tenants().addDomain({ params, body: { domain: `${name}.کابل.AF` } }, own())
    expect(added.customDomains).toEqual([`${name}.xn--mgbc8fxs.af`])
    expect(added.config.version).toBe(2)
    for (const domain of [`${name}.کابل.af`, `${name.toUpperCase()}.XN--MGBC8FXS.af.`]) {
      expect(await tenants().resolveDomain({ params: { domain } })).toEqual(added)
    }
    expect(
      await tenants().addDomain({ params, body: { domain: `${name}.کابل.AF` } }, own()),
    ).toEqual(added)
    expect(await eventsOf(params.tenantId)).toMatchObject([
      { payload: { configVersion: 2, changed: ['custom_domains'] } },
    ])
  })

  it('belongs to one tenant, also when two add it concurrently', async () => {
    const hotels = await Promise.all([makeTenant(sandbox.url), makeTenant(sandbox.url)])
    const domain = `${newId('tnt').slice(-10).toLowerCase()}.example`
    const calls = hotels.map(({ params, own }) =>
      tenants().addDomain({ params, body: { domain } }, own()),
    )
    expect(await countOutcomes(calls)).toEqual({ done: 1, 'MELMASTOON.TENANT.DOMAIN_TAKEN': 1 })
  })

  it.each(['localhost', '10.0.0.1', 'a.melmastoon.app', 'melmastoon.ghasi.io', 'x.com:80'])(
    '%s is rejected',
    async (domain) => {
      const { params, own } = await makeTenant(sandbox.url)
      expect(await rejectionOf(tenants().addDomain({ params, body: { domain } }, own()))).toBe(
        'MELMASTOON.GENERAL.VALIDATION_FAILED',
      )
    },
  )

  it('is no change the second time, also in concurrent requests of the same tenant', async () => {
    const { params, own } = await makeTenant(sandbox.url)
    const domain = `${newId('tnt').slice(-10).toLowerCase()}.example`
    const add = () => tenants().addDomain({ params, body: { domain } }, own())
    const [one, ...others] = await Promise.all(Array.from({ length: 6 }, add))
    expect(one?.customDomains).toEqual([domain])
    expect(others).toEqual(others.map(() => one))
  })

  it('is rejected beyond twenty, also with concurrent additions', async () => {
    const { params, own } = await makeTenant(sandbox.url)
    const add = (domain: string) => tenants().addDomain({ params, body: { domain } }, own())
    const mark = newId('tnt').slice(-10).toLowerCase()
    const domains = Array.from({ length: 24 }, (_, index) => `d${index}.${mark}.example`)
    for (const domain of domains.slice(0, 17)) await add(domain)
    const last = domains.slice(17).map(add)
    expect(await countOutcomes(last)).toEqual({
      done: 3,
      'MELMASTOON.GENERAL.VALIDATION_FAILED': 4,
    })
    expect((await tenants().getTenant({ params })).customDomains).toHaveLength(20)
  })
})

describe('the status', () => {
  it('changes from active to suspended and back, each step once', async () => {
    const { params, own } = await makeTenant(sandbox.url)
    const suspend = () =>
      tenants().suspend({ params, body: { reasonCode: 'unpaid_invoice' } }, own())
    const reactivate = () => tenants().reactivate({ params, body: {} }, own())
    expect(await rejectionOf(reactivate())).toBe('MELMASTOON.TENANT.ILLEGAL_TRANSITION')
    expect((await suspend()).status).toBe('suspended')
    expect(await rejectionOf(suspend())).toBe('MELMASTOON.TENANT.ILLEGAL_TRANSITION')
    expect((await reactivate()).status).toBe('active')
    const events = await eventsOf(params.tenantId)
    expect(events.map(({ envelope }) => envelope.subject)).toEqual([
      'melmastoon.tenant.suspended.v1',
      'melmastoon.tenant.reactivated.v1',
    ])
    expect(events[0]?.payload).toMatchObject({ reasonCode: 'unpaid_invoice' })
  })

  it('changes once in concurrent suspensions', async () => {
    const { params, own } = await makeTenant(sandbox.url)
    const calls = Array.from({ length: 6 }, () =>
      tenants().suspend({ params, body: { reasonCode: 'unpaid' } }, own()),
    )
    expect(await countOutcomes(calls)).toEqual({
      done: 1,
      'MELMASTOON.TENANT.ILLEGAL_TRANSITION': 5,
    })
    expect(await eventsOf(params.tenantId)).toHaveLength(1)
  })

  it('closed is final', async () => {
    const { tenant, params, own } = await makeTenant(sandbox.url)
    const close = `update sandbox.tenant_account set status = 'closed' where slug = $1`
    await environment.query(close, [tenant.slug])
    const calls = [
      tenants().suspend({ params, body: { reasonCode: 'unpaid' } }, own()),
      tenants().reactivate({ params, body: {} }, own()),
      tenants().addDomain({ params, body: { domain: 'closed.example' } }, own()),
      tenants().updateConfig(
        { params, body: { expectedVersion: 1, changes: { paymentEnabled: false } } },
        own(),
      ),
    ]
    const codes = await Promise.all(calls.map(rejectionOf))
    expect(new Set(codes)).toEqual(new Set(['MELMASTOON.TENANT.ILLEGAL_TRANSITION']))
  })

  it('is changed once per key, and the response has the same bytes', async () => {
    const { tenant, params } = await makeTenant(sandbox.url)
    const path = `${BASE}/${params.tenantId}/suspend`
    const headers = serviceHeaders(tenant.tenantId)
    const sent = { key: newId('req'), json: { reasonCode: 'unpaid' }, headers }
    const first = await send(sandbox.url, 'POST', path, sent)
    const again = await send(sandbox.url, 'POST', path, sent)
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const other = await send(sandbox.url, 'POST', path, { ...sent, json: { reasonCode: 'other' } })
    expect(other.body['code']).toBe('MELMASTOON.IDEMPOTENCY.KEY_REUSED')
  })
})

/** In the order of their creation; all are valid under their contracts. */
async function eventsOf(tenantId: string) {
  const events = await drainEvents(environment)
  for (const event of events) contracts.registry.validate(event)
  return events.filter(({ envelope }) => envelope.tenantId === tenantId)
}
