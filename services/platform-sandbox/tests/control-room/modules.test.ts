import { systemClock } from '@melmastoon/chassis/clock'
import { createDatabase } from '@melmastoon/chassis/db'
import { addDays, newId, todayIn } from '@melmastoon/domain'
import { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import { paymentContract } from '@melmastoon/upstream-contracts/payment'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { themeContract } from '@melmastoon/upstream-contracts/theme'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedInventory } from '../../src/modules/inventory/seed-inventory.ts'
import { seedPricing } from '../../src/modules/pricing/seed-pricing.ts'
import { seedProperty } from '../../src/modules/property/seed-property.ts'
import { seedTenant } from '../../src/modules/tenant/seed-tenant.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import type { World, WorldProperty } from '../../src/world/world.ts'
import {
  clientFor,
  drainEvents,
  type RunningSandbox,
  sandboxEnvironment,
  send,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { makeTenant } from '../tenant/tenant-fixture.ts'
import { makeTheme } from '../theme/theme-fixture.ts'
import { visitPage } from './visit-page.ts'

const today = todayIn('Asia/Kabul', systemClock.now())

describe('the modules in the control room', () => {
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

  describe('tenants', () => {
    beforeAll(async () => {
      await create('serena', 'Serena of Kabul')
      await create('hostile', `</a><script>alert("pwned")</script><img src=x onerror='x'>`)
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
      const none = (await visitPage(sandbox.url, '/?q=missing')).section('tenants')
      expect(none).toContain('No tenant matches.')
    })

    it('shows a hostile name as the text it is', async () => {
      const { html } = await visitPage(sandbox.url)
      expect(html).toContain('&#60;script&#62;alert(&#34;pwned&#34;)&#60;/script&#62;')
      expect(html).not.toMatch(/<script>|<img|onerror='/)
    })

    it('suspends and reactivates, preserves the search, and publishes the events', async () => {
      const page = await visitPage(sandbox.url, '/?q=serena')
      const suspended = await page.press('Suspend Serena of Kabul')
      expect(suspended.section('tenants')).toContain('<span class="badge bad">suspended</span>')
      expect(suspended.section('tenants')).not.toContain('hostile')
      const active = await suspended.press('Reactivate Serena of Kabul')
      expect(active.section('tenants')).toContain('<span class="badge good">active</span>')
      const events = await drainEvents(environment, 'melmastoon.tenant.%')
      const subjects = events.map(({ envelope }) => envelope.subject)
      expect(subjects.slice(-2)).toEqual([
        expect.stringContaining('suspended'),
        expect.stringContaining('reactivated'),
      ])
      expect(active.section('events')).toContain(subjects.at(-1))
    })

    it('reports an error when there is nothing to do', async () => {
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
      const unknown = await send(sandbox.url, 'POST', `/admin/api/tenants/${newId('tnt')}/suspend`)
      expect(unknown.body['code']).toBe('MELMASTOON.TENANT.NOT_FOUND')
    })
  })

  describe('themes', () => {
    async function publishedTheme() {
      const { params, publish } = await makeTheme(sandbox.url, 2)
      await publish(1)
      const read = () => clientFor(themeContract, sandbox.url).getPublished({ params })
      return { params, read, path: `/?tenant=${params.tenantId}` }
    }

    it('requires a tenant', async () => {
      expect((await visitPage(sandbox.url)).section('theme')).toContain('Choose a')
    })

    it('publishes the next version, then a generated one, and rolls back', async () => {
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
      const [last] = (await drainEvents(environment, '%theme%')).slice(-1)
      expect(last?.payload).toMatchObject({ themeVersion: 2, previousVersion: 3 })
      expect(back.html).toContain('The previous theme is published.')
    })

    it('reports an error when there is no previous version', async () => {
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
      expect(page.response.status).toBe(200)
      expect(page.section('theme')).toContain('MELMASTOON.THEME.NOT_FOUND')
      expect(page.section('upstreams')).toContain('available')
    })
  })

  describe('payments', () => {
    async function pay(cardToken?: string) {
      const { own } = await makeTenant(sandbox.url)
      const body = {
        draftRef: newId('bdr'),
        method: 'card' as const,
        amount: { amountMicro: '1500000000', currency: 'AFN' as const },
        captureMode: 'automatic' as const,
        returnUrl: 'http://localhost/back',
        ...(cardToken && { cardToken }),
      }
      const call = own()
      const intent = await clientFor(paymentContract, sandbox.url).createIntent({ body }, call)
      return { ...intent, tenantId: call.tenantId }
    }

    it('shows payments, with links to the pending ones', async () => {
      expect((await visitPage(sandbox.url)).section('payments')).toContain('No payments yet.')
      const paid = await pay('tok_ok')
      const waiting = await pay()
      const payments = (await visitPage(sandbox.url)).section('payments')
      expect(payments).toContain(paid.paymentIntentId)
      expect(payments).toContain('<span class="badge good">captured</span>')
      expect(payments).toContain(`/pay/${waiting.tenantId}/${waiting.paymentIntentId}?`)
      expect(payments).toMatch(/AFN\s1,500\.00/)
    })

    it('sets the delivery of all webhooks', async () => {
      const page = await visitPage(sandbox.url)
      const after = await page.press('Set the webhook delivery', { fate: 'lost' })
      expect(after.section('payments')).toContain('<option value="lost" selected>')
      expect(sandbox.ctx.scenarios.webhookDelivery()).toBe('lost')
      const path = '/admin/api/payments/webhook-fate'
      const prompt = await send(sandbox.url, 'POST', path, { json: { fate: 'prompt' } })
      expect(prompt.body).toEqual({ webhookFate: 'prompt' })
      const eaten = await send(sandbox.url, 'POST', path, { json: { fate: 'eaten' } })
      expect(eaten.status).toBe(400)
    })

    it('sends a webhook again', async () => {
      const { tenantId } = await pay('tok_ok_webhook_lost')
      const [webhook] = await sandbox.ctx.modules.payment.recentWebhooks()
      expect(webhook).toMatchObject({ tenantId })
      const page = await visitPage(sandbox.url)
      const after = await page.press(`Resend ${webhook?.webhookId}`)
      expect(after.html).toContain('The webhook is being sent again.')
      const path = `/admin/api/tenants/${tenantId}/webhooks/${webhook?.webhookId}/resend`
      expect((await send(sandbox.url, 'POST', path)).status).toBe(200)
      const stranger = path.replace(tenantId, newId('tnt'))
      expect((await send(sandbox.url, 'POST', stranger)).status).toBe(404)
    })
  })

  describe('hotels', () => {
    let hotel: WorldProperty

    beforeAll(async () => {
      const whole = generateWorld({ seed: 'control', anchorDate: today, properties: 0 })
      hotel = await seedOne(environment, whole)
    })

    const open = () =>
      visitPage(sandbox.url, `/?tenant=${hotel.tenantId}&property=${hotel.propertyId}`)

    async function readPrices() {
      const { tenantId, propertyId } = hotel
      const pricing = clientFor(pricingContract, sandbox.url)
      const { ratePlans } = await pricing.listRatePlans({ query: { propertyId } }, { tenantId })
      return ratePlans.map(({ code, prices }) => ({ code, prices }))
    }

    async function freeRooms(night: string) {
      const { tenantId, propertyId } = hotel
      const inventory = clientFor(inventoryContract, sandbox.url)
      const query = { propertyId, from: today, to: addDays(today, 14) }
      const { roomTypes } = await inventory.availability({ query }, { tenantId })
      const nights = roomTypes.flatMap((type) => type.nights.filter((row) => row.night === night))
      return nights.reduce((sum, { available }) => sum + available, 0)
    }

    it('shows the hotel of a tenant, its prices and the next nights', async () => {
      const section = (await open()).section('hotel')
      expect(section).toContain(hotel.propertyId)
      expect(section).toContain(`<time datetime="${today}">`)
      expect(section.match(/Make available/g)).toHaveLength(14)
    })

    it('raises and lowers prices, and restores them exactly', async () => {
      const before = await readPrices()
      const up = await (await open()).press('Up 10 %')
      const dearer = await readPrices()
      for (const [plan, { prices }] of before.entries()) {
        for (const [room, { nightly }] of prices.entries()) {
          const moved = Number(dearer[plan]?.prices[room]?.nightly.amountMicro)
          expect(moved / Number(nightly.amountMicro)).toBeCloseTo(1.1, 3)
        }
      }
      const down = await (await up.press('Down 10 %')).press('Down 10 %')
      expect(await readPrices()).not.toEqual(before)
      const back = await down.press('Restore the original prices')
      expect(await readPrices()).toEqual(before)
      expect(back.html).toContain('The prices of the hotel are published.')
      const events = await drainEvents(environment, 'melmastoon.pricing.%')
      expect(events).toHaveLength(before.length * 4)
    })

    it('has nothing to restore without a change', async () => {
      const before = await readPrices()
      const after = await (await open()).press('Restore the original prices')
      expect(after.html).toContain('notice good')
      expect(await readPrices()).toEqual(before)
    })

    it('sells a night out and makes it available again', async () => {
      const night = addDays(today, 5)
      const free = await freeRooms(night)
      expect(free).toBeGreaterThan(0)
      const soldOut = await (await open()).press(`Sell out ${night}`)
      expect(await freeRooms(night)).toBe(0)
      expect(await freeRooms(addDays(night, 1))).toBeGreaterThan(0)
      expect(soldOut.section('hotel')).toContain('sold out')
      await soldOut.press(`Make available ${night}`)
      expect(await freeRooms(night)).toBe(free)
    })

    it('does the same for scripts', async () => {
      const { tenantId, propertyId } = hotel
      const path = `/admin/api/tenants/${tenantId}/properties/${propertyId}`
      const before = await readPrices()
      const up = await send(sandbox.url, 'POST', `${path}/prices`, { json: { move: 'up' } })
      expect(up.status).toBe(200)
      expect(await readPrices()).not.toEqual(before)
      await send(sandbox.url, 'POST', `${path}/prices`, { json: { move: 'back' } })
      expect(await readPrices()).toEqual(before)
      const night = addDays(today, 7)
      const soldOut = await send(sandbox.url, 'POST', `${path}/nights/${night}/sell-out`)
      expect(soldOut).toMatchObject({ status: 200, body: { propertyId } })
      expect(await freeRooms(night)).toBe(0)
      await send(sandbox.url, 'POST', `${path}/nights/${night}/open`)
      expect(await freeRooms(night)).toBeGreaterThan(0)
    })

    it.each([
      ['/prices', { move: 'sideways' }, 400],
      ['/nights/2026-02-30/sell-out', {}, 422],
      ['/nights/tomorrow/sell-out', {}, 400],
    ])('rejects script calls of %s with %o', async (path, json, status) => {
      const hotelPath = `/admin/api/tenants/${hotel.tenantId}/properties/${hotel.propertyId}`
      expect((await send(sandbox.url, 'POST', hotelPath + path, { json })).status).toBe(status)
    })

    it('finds no hotel of another tenant', async () => {
      const path = `/admin/api/tenants/${newId('tnt')}/properties/${hotel.propertyId}`
      const prices = await send(sandbox.url, 'POST', `${path}/prices`, { json: { move: 'up' } })
      expect(prices.body['code']).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
      const night = await send(sandbox.url, 'POST', `${path}/nights/${today}/sell-out`)
      expect(night.body['code']).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
    })
  })
})

/** One hotel without guests, and nothing else of the world. */
async function seedOne(environment: TestEnvironment, whole: World): Promise<WorldProperty> {
  const [hotel] = whole.properties
  if (hotel === undefined) throw new Error('the world has no hotel')
  const tenants = whole.tenants.filter(({ tenantId }) => tenantId === hotel.tenantId)
  const world = { ...whole, tenants, properties: [hotel], stays: [] }
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 1,
    onError: (error) => {
      throw error
    },
  })
  for (const seed of [seedTenant, seedProperty, seedPricing, seedInventory]) await seed(db, world)
  return hotel
}
