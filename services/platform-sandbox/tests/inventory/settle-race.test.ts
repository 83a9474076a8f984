import { expect, it } from 'vitest'
import { openHotel, placeHold, readNights, reconcile, settleHold } from '../no-oversell/hotel.ts'
import { sandboxEnvironment, startSandbox } from '../start-sandbox.ts'

const ROUNDS = 120

it('commits and releases one hold concurrently with exactly one outcome', {
  timeout: 60_000,
}, async () => {
  await using environment = await sandboxEnvironment()
  await using sandbox = await startSandbox(environment)
  const hotel = await openHotel(environment, { rooms: [ROUNDS] })
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
  expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 0, sold: 0 }])
  expect(await reconcile(environment)).toEqual([])
})
