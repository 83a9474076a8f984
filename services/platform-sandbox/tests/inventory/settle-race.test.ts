import { expect, it } from 'vitest'
import { openHotel, placeHold, readNights, reconcile, settleHold } from '../no-oversell/hotel.ts'
import { setStage, startSandbox } from '../start-sandbox.ts'

const ROUNDS = 120

it('commits and releases one hold concurrently with exactly one outcome', {
  timeout: 60_000,
}, async () => {
  await using stage = await setStage()
  await using sandbox = await startSandbox(stage)
  const hotel = await openHotel(stage, { rooms: [ROUNDS] })
  const outcomes = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const { body } = await placeHold(sandbox.url, hotel)
    const hold = { allocationId: String(body['allocationId']) }
    const [sold, returned] = await Promise.all([
      settleHold(sandbox.url, hotel, { ...hold, how: 'commit' }),
      settleHold(sandbox.url, hotel, { ...hold, how: 'release' }),
    ])
    expect(returned.status).toBe(200)
    outcomes.add(JSON.stringify([sold.status, sold.body['code']]))
  }
  const possible = ['[200,null]', '[409,"MELMASTOON.INVENTORY.HOLD_SETTLED"]']
  expect([...outcomes].filter((outcome) => !possible.includes(outcome))).toEqual([])
  expect(await readNights(stage, hotel.roomTypeIds[0])).toMatchObject([{ held: 0, sold: 0 }])
  expect(await reconcile(stage)).toEqual([])
})
