import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sql } from '../../src/db/index.ts'
import {
  distinct,
  type OutboxEnvironment,
  orderViolations,
  outboxEnvironment,
} from './outbox-environment.ts'
import { note } from './outbox-schema.ts'
import { runRandomCrashes } from './random-crashes.ts'

interface NaiveRow {
  eventId: string
  noteId: string
  ordinal: number
}

/** A common implementation: every relay claims any rows with SKIP LOCKED. */
async function naiveRelay(env: OutboxEnvironment, arrived: NaiveRow[]): Promise<void> {
  for (;;) {
    const claimed = await env.relayDb.transaction(async (tx) => {
      const rows = await tx.query<NaiveRow>(sql`
        delete from outbox where seq in (
          select seq from outbox order by seq limit 20 for update skip locked
        ) returning event_id as "eventId", ordering_key as "noteId",
          (payload ->> 'lengthChars')::int as "ordinal"`)
      await sleep(randomInt(10))
      arrived.push(...rows.toSorted((a, b) => a.ordinal - b.ordinal))
      return rows.length
    })
    if (claimed === 0) return
  }
}

describe('four concurrent relays', () => {
  it('OBX-19 order per key holds over 2,000 events, 50 keys and random kills', {
    timeout: 90_000,
  }, async () => {
    await using env = await outboxEnvironment()
    await runRandomCrashes(env, { events: 2_000, keys: 50, relays: 4, kills: 3 })
    const arrived = await env.arrivals()
    expect(distinct(arrived.map((arrival) => arrival.eventId))).toBe(2_000)
    expect(orderViolations(arrived)).toBe(0)
    expect(await env.archived()).toHaveLength(2_000)
  })

  it('OBX-19 control: claiming rows without shards breaks the order', async () => {
    await using env = await outboxEnvironment()
    for (let round = 0; round < 80; round += 1) {
      await env.append(...Array.from({ length: 5 }, (_, key) => note(`k${key}`, round)))
    }
    const arrived: NaiveRow[] = []
    await Promise.all(Array.from({ length: 4 }, () => naiveRelay(env, arrived)))
    expect(distinct(arrived.map((arrival) => arrival.eventId))).toBe(400)
    expect(orderViolations(arrived)).toBeGreaterThan(0)
  })
})
