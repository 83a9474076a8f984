import { expect, it } from 'vitest'
import { distinct, orderViolations, outboxWorld } from './outbox-world.ts'
import { runRandomCrashes } from './random-crashes.ts'

it('OBX-19 in full: 10,000 events, 50 keys, four relays, thirty kills', {
  timeout: 300_000,
}, async () => {
  await using world = await outboxWorld()
  await runRandomCrashes(world, { events: 10_000, keys: 50, relays: 4, kills: 30 })
  const arrived = await world.arrivals()
  expect(distinct(arrived.map((arrival) => arrival.eventId))).toBe(10_000)
  expect(orderViolations(arrived)).toBe(0)
})
