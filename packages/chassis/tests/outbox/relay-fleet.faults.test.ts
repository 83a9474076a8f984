import { expect, it } from 'vitest'
import { distinct, orderViolations, outboxEnvironment } from './outbox-environment.ts'
import { runRandomCrashes } from './random-crashes.ts'

it('OBX-19 order per key holds over 10,000 events, 50 keys, four relays and thirty kills', {
  timeout: 300_000,
}, async () => {
  await using env = await outboxEnvironment()
  await runRandomCrashes(env, { events: 10_000, keys: 50, relays: 4, kills: 30 })
  const arrived = await env.arrivals()
  expect(distinct(arrived.map((arrival) => arrival.eventId))).toBe(10_000)
  expect(orderViolations(arrived)).toBe(0)
})
