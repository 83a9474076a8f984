import { expect } from 'vitest'
import { openHotel, placeHold, readNights, settleHold } from '../no-oversell/hotel.ts'
import type { TestEnvironment } from '../start-sandbox.ts'

const POSSIBLE = ['[200,null]', '[409,"MELMASTOON.INVENTORY.HOLD_SETTLED"]']

/** Commits and releases each hold at once: every hold ends released, and no room stays taken. */
export async function raceSettlements(
  environment: TestEnvironment,
  url: string,
  rounds: number,
): Promise<void> {
  const hotel = await openHotel(environment, { rooms: [rounds] })
  const race = async (): Promise<string> => {
    const { body } = await placeHold(url, hotel)
    const hold = { allocationId: String(body['allocationId']) }
    const [sold, returned] = await Promise.all([
      settleHold(url, hotel, { ...hold, how: 'commit' }),
      settleHold(url, hotel, { ...hold, how: 'release' }),
    ])
    expect(returned.status).toBe(200)
    return JSON.stringify([sold.status, sold.body['code']])
  }
  const outcomes = new Set<string>()
  for (let round = 0; round < rounds; round += 1) outcomes.add(await race())
  expect([...outcomes].filter((outcome) => !POSSIBLE.includes(outcome))).toEqual([])
  expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 0, sold: 0 }])
}
