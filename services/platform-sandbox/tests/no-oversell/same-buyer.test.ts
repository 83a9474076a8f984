import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  countRows,
  type RunningSandbox,
  type Stage,
  setStage,
  startSandbox,
} from '../start-sandbox.ts'
import { openHotel, placeHold, readNights, reconcile, setExpiry, tally } from './hotel.ts'
import { giveQuote, holdReservation } from './quote.ts'

let stage: Stage
let sandbox: RunningSandbox

beforeAll(async () => {
  stage = await setStage()
  sandbox = await startSandbox(stage)
})

afterAll(async () => {
  expect(await reconcile(stage)).toEqual([])
  await sandbox[Symbol.asyncDispose]()
  await stage[Symbol.asyncDispose]()
})

describe('one buyer', () => {
  it('HOLD-04 who clicks twenty times has one hold, and the same answer each time', async () => {
    const hotel = await openHotel(stage, { rooms: [5] })
    const ask = { quoteId: await giveQuote(stage, hotel), draftId: newId('bdr'), key: newId('req') }
    const click = () => holdReservation(sandbox.url, hotel, ask)
    const clicks = await Promise.all(Array.from({ length: 20 }, click))
    const counted = tally(clicks)
    expect((counted['201'] ?? 0) + (counted['409 IDEMPOTENCY.IN_FLIGHT'] ?? 0)).toBe(20)
    const late = await click()
    expect([late.status, late.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    const answers = [...clicks, late].filter(({ status }) => status === 201)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await readNights(stage, hotel.roomTypeIds[0])).toMatchObject([{ held: 1 }])
  })

  it('HOLD-05 with many tabs holds rooms in one of them', async () => {
    const hotel = await openHotel(stage, { rooms: [50] })
    const ask = { quoteId: await giveQuote(stage, hotel), draftId: newId('bdr') }
    const tabs = await Promise.all(
      Array.from({ length: 20 }, () => holdReservation(sandbox.url, hotel, ask)),
    )
    expect(tally(tabs)).toEqual({ 201: 1, '409 RESERVATION.HOLD_ACTIVE': 19 })
    expect(await readNights(stage, hotel.roomTypeIds[0])).toMatchObject([{ held: 1 }])

    const first = tabs.find(({ status }) => status === 201)
    await setExpiry(stage, [first?.body['allocationId']], -1)
    expect((await holdReservation(sandbox.url, hotel, ask)).status).toBe(201)
    expect(await readNights(stage, hotel.roomTypeIds[0])).toMatchObject([{ held: 1 }])
  })

  it('HOLD-12 who hoards holds five rooms at a time, and gives them back with time', async () => {
    const hotel = await openHotel(stage, { rooms: [50] })
    const session = newId('gms')
    const grab = () => placeHold(sandbox.url, hotel, { session })
    const grabs = await Promise.all(Array.from({ length: 30 }, grab))
    const held = grabs.filter(({ status }) => status === 201)
    expect(held.length).toBeLessThanOrEqual(5)
    const more: Awaited<ReturnType<typeof grab>>[] = []
    for (let i = 0; i < 6; i += 1) more.push(await grab())
    const all = [...held, ...more.filter(({ status }) => status === 201)]
    expect(all).toHaveLength(5)
    expect(more.at(-1)?.body['code']).toBe('MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED')
    expect((await placeHold(sandbox.url, hotel, { session: newId('gms') })).status).toBe(201)

    await setExpiry(
      stage,
      all.map(({ body }) => body['allocationId']),
      -1,
    )
    expect((await grab()).status).toBe(201)
    expect(await readNights(stage, hotel.roomTypeIds[0])).toMatchObject([{ held: 2 }])
    expect(await countRows(stage, 'inventory_allocation', `session = '${session}'`)).toBe(6)
  })
})
