import { daysBetween, nightsOf, todayIn } from '@melmastoon/domain'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningSandbox, type Stage, setStage, startSandbox } from '../start-sandbox.ts'
import { openHotel, placeHold, readClock, readNights, reconcile } from './hotel.ts'

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

const FIRST_DAY = 30

/** Any stays of one to four nights and one or two rooms within ten nights. */
const anyStays = fc.record({
  rooms: fc.integer({ min: 1, max: 4 }),
  stays: fc.array(
    fc.record({
      from: fc.integer({ min: 0, max: 8 }),
      nights: fc.integer({ min: 1, max: 4 }),
      rooms: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 4, maxLength: 14 },
  ),
})

describe('stays that overlap', () => {
  it('HOLD-03 fill every night to its capacity and never beyond, whoever comes first', async () => {
    await fc.assert(
      fc.asyncProperty(anyStays, async ({ rooms, stays }) => {
        const hotel = await openHotel(stage, { rooms: [rooms] })
        const asks = stays.map((stay) => ({
          rooms: stay.rooms,
          stay: {
            checkIn: hotel.day(FIRST_DAY + stay.from),
            checkOut: hotel.day(FIRST_DAY + stay.from + stay.nights),
          },
        }))
        const answers = await Promise.all(asks.map((ask) => placeHold(sandbox.url, hotel, ask)))
        const held = new Map<string, number>()
        for (const [index, ask] of asks.entries()) {
          expect([201, 409]).toContain(answers[index]?.status)
          if (answers[index]?.status !== 201) continue
          for (const night of nightsOf(ask.stay)) {
            held.set(night, (held.get(night) ?? 0) + ask.rooms)
          }
        }
        const nights = await readNights(stage, hotel.roomTypeIds[0])
        for (const night of nights) {
          expect(night.held).toBe(held.get(night.night) ?? 0)
          expect(night.held).toBeLessThanOrEqual(rooms)
        }
        // Nothing was given back, so whoever was refused must still find a night without room.
        for (const [index, ask] of asks.entries()) {
          if (answers[index]?.status === 201) continue
          const isFull = nightsOf(ask.stay).some((night) => {
            return (held.get(night) ?? 0) + ask.rooms > rooms
          })
          expect(isFull).toBe(true)
        }
      }),
      { numRuns: 12 },
    )
    expect(await reconcile(stage)).toEqual([])
  })

  it('one room takes back-to-back stays, in any order and at once', async () => {
    const hotel = await openHotel(stage, { rooms: [1] })
    const days = [40, 42, 41, 45, 44, 43]
    const answers = await Promise.all(
      days.map((day) => {
        const stay = { checkIn: hotel.day(day), checkOut: hotel.day(day + 1) }
        return placeHold(sandbox.url, hotel, { stay })
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual(days.map(() => 201))
  })
})

describe('the hotel’s own calendar', () => {
  /** At any moment it is another day than in UTC in at least one of the two at the edges. */
  const ZONES = [
    'Asia/Kabul',
    'Europe/Berlin',
    'America/New_York',
    'Pacific/Kiritimati',
    'Etc/GMT+12',
  ]

  it.each(ZONES)('HOLD-14 decides what today is in %s', async (timeZone) => {
    const hotel = await openHotel(stage, { rooms: [2], timeZone })
    expect(hotel.day(0)).toBe(todayIn(timeZone, await readClock(stage)))
    const tonight = { checkIn: hotel.day(0), checkOut: hotel.day(1) }
    const lastNight = { checkIn: hotel.day(-1), checkOut: hotel.day(0) }
    expect((await placeHold(sandbox.url, hotel, { stay: tonight })).status).toBe(201)
    const refused = await placeHold(sandbox.url, hotel, { stay: lastNight })
    expect(refused.body['code']).toBe('MELMASTOON.INVENTORY.STAY_INVALID')
    expect(await readNights(stage, hotel.roomTypeIds[0])).toMatchObject([{ night: hotel.day(0) }])
  })

  it('a stay over a change of clocks has the nights of the calendar, each once', async () => {
    const changes = { 'Europe/Berlin': ['03-24', '10-27'], 'America/New_York': ['03-10', '11-03'] }
    for (const [timeZone, dates] of Object.entries(changes)) {
      const hotel = await openHotel(stage, { rooms: [1], timeZone })
      const year = Number(hotel.day(0).slice(0, 4)) + 1
      for (const date of dates) {
        const offset = daysBetween(hotel.day(0), `${year}-${date}` as ReturnType<typeof hotel.day>)
        const stay = { checkIn: hotel.day(offset), checkOut: hotel.day(offset + 10) }
        expect((await placeHold(sandbox.url, hotel, { stay })).status).toBe(201)
      }
      const nights = await readNights(stage, hotel.roomTypeIds[0])
      expect(nights.map(({ night }) => night)).toEqual(
        dates.flatMap((date) => {
          const offset = daysBetween(
            hotel.day(0),
            `${year}-${date}` as ReturnType<typeof hotel.day>,
          )
          return Array.from({ length: 10 }, (_, night) => hotel.day(offset + night))
        }),
      )
    }
    expect(await reconcile(stage)).toEqual([])
  })
})
