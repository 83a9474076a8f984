import { systemClock } from '@melmastoon/chassis/clock'
import { createDatabase } from '@melmastoon/chassis/db'
import { addDays, newId, todayIn } from '@melmastoon/domain'
import { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
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
  type Stage,
  send,
  setStage,
  startSandbox,
} from '../start-sandbox.ts'
import { visitPage } from './visit-page.ts'

const today = todayIn('Asia/Kabul', systemClock.now())

describe('hotels in the control room', () => {
  let stage: Stage
  let sandbox: RunningSandbox
  let hotel: WorldProperty

  beforeAll(async () => {
    stage = await setStage()
    const whole = generateWorld({ seed: 'control', anchorDate: today, properties: 0 })
    hotel = await seedOne(stage, whole)
    sandbox = await startSandbox(stage)
  })
  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]()
    await stage[Symbol.asyncDispose]()
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

  it('moves prices up and down, and back to the last digit', async () => {
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
    const back = await down.press('Back to the prices of before')
    expect(await readPrices()).toEqual(before)
    expect(back.html).toContain('The prices of the hotel are published.')
    const events = await drainEvents(stage, 'melmastoon.pricing.%')
    expect(events).toHaveLength(before.length * 4)
  })

  it('has nothing to bring back when nothing was moved', async () => {
    const before = await readPrices()
    const after = await (await open()).press('Back to the prices of before')
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
  ])('refuses scripts that ask %s %o', async (path, json, status) => {
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

/** One hotel without guests, and nothing else of the world. */
async function seedOne(stage: Stage, whole: World): Promise<WorldProperty> {
  const [hotel] = whole.properties
  if (hotel === undefined) throw new Error('the world has no hotel')
  const tenants = whole.tenants.filter(({ tenantId }) => tenantId === hotel.tenantId)
  const world = { ...whole, tenants, properties: [hotel], stays: [] }
  await using db = createDatabase({
    url: stage.relayUrl,
    poolMax: 1,
    onError: (error) => {
      throw error
    },
  })
  for (const seed of [seedTenant, seedProperty, seedPricing, seedInventory]) await seed(db, world)
  return hotel
}
