import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sql } from '../../src/db/index.ts'
import { note } from './outbox-schema.ts'
import { distinct, type OutboxWorld, orderViolations, outboxWorld } from './outbox-world.ts'
import { runRandomCrashes } from './random-crashes.ts'

interface NaiveRow {
  eventId: string
  noteId: string
  ordinal: number
}

/** What many outboxes do: claim any rows with SKIP LOCKED, whoever comes. */
async function naiveRelay(world: OutboxWorld, arrived: NaiveRow[]): Promise<void> {
  for (;;) {
    const claimed = await world.relayDb.transaction(async (tx) => {
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

describe('four relays at once', () => {
  it('OBX-19 order per key holds over 2,000 events, 50 keys and random kills', {
    timeout: 90_000,
  }, async () => {
    await using world = await outboxWorld()
    await runRandomCrashes(world, { events: 2_000, keys: 50, relays: 4, kills: 3 })
    const arrived = await world.arrivals()
    expect(distinct(arrived.map((arrival) => arrival.eventId))).toBe(2_000)
    expect(orderViolations(arrived)).toBe(0)
    expect(await world.archived()).toHaveLength(2_000)
  })

  it('OBX-19 control: claiming rows without shards breaks the order', async () => {
    await using world = await outboxWorld()
    for (let round = 0; round < 80; round += 1) {
      await world.append(...Array.from({ length: 5 }, (_, key) => note(`k${key}`, round)))
    }
    const arrived: NaiveRow[] = []
    await Promise.all(Array.from({ length: 4 }, () => naiveRelay(world, arrived)))
    expect(distinct(arrived.map((arrival) => arrival.eventId))).toBe(400)
    expect(orderViolations(arrived)).toBeGreaterThan(0)
  })
})
