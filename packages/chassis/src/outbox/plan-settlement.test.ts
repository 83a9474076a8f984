import { describe, expect, it } from 'vitest'
import { planSettlement } from './plan-settlement.ts'
import type { BatchResult } from './publish-batch.ts'
import type { OutboxRow, ShardCursor } from './read-batch-sql.ts'

const cursor = (shard: number, inSpan = false): ShardCursor => ({
  shard,
  fence: 1,
  version: 1,
  leaseLeftMs: 1_000,
  inSpan,
  snapshot: '10:10:',
  lastSeq: 99,
  readAt: '2026-03-21T09:00:00.000Z',
})

const row = (seq: number, shard = 0, source: OutboxRow['source'] = 'log'): OutboxRow => ({
  source,
  seq,
  shard,
  eventId: `evt_${seq}`,
  subject: 's',
  orderingKey: `k${seq}`,
  tenantId: null,
  traceparent: null,
  contract: null,
  envelope: '{}',
  payload: '{}',
  ageMs: 0,
  isBehind: false,
})

const outcome = (parts: Partial<BatchResult>): BatchResult => ({
  published: [],
  failed: [],
  waiting: [],
  unavailable: undefined,
  ...parts,
})

describe('planSettlement', () => {
  it('completes the shards of a batch that is not full', () => {
    const rows = [row(1), row(2), row(3, 1)]
    const read = { cursors: [cursor(0), cursor(1), cursor(2)], rows, isFull: false }
    const { advances } = planSettlement(read, outcome({ published: rows }))
    expect(advances).toEqual([
      { cursor: cursor(0), isComplete: true, position: 2 },
      { cursor: cursor(1), isComplete: true, position: 3 },
    ])
  })

  it('stops at the last row of a full batch, and leaves shards without rows', () => {
    const rows = [row(1), row(2)]
    const read = { cursors: [cursor(0), cursor(1, true)], rows, isFull: true }
    const { advances } = planSettlement(read, outcome({ published: rows }))
    expect(advances).toEqual([{ cursor: cursor(0), isComplete: false, position: 2 }])
  })

  it('ends a span that has no further rows', () => {
    const read = { cursors: [cursor(0, true), cursor(1)], rows: [], isFull: false }
    const { advances } = planSettlement(read, outcome({}))
    expect(advances).toEqual([{ cursor: cursor(0, true), isComplete: true, position: 0 }])
  })

  it('never passes a row that was not sent, nor sets aside what is behind it', () => {
    const [first, second, unsent, rejected] = [row(1), row(2), row(3), row(4)]
    const read = { cursors: [cursor(0)], rows: [first, second, unsent, rejected], isFull: false }
    const failed = [second, rejected].map((each) => ({ row: each, error: 'no', fatal: false }))
    const result = outcome({ published: [first], failed, unavailable: 'down' })
    const { advances, setAside } = planSettlement(read, result)
    expect(advances).toEqual([{ cursor: cursor(0), isComplete: false, position: 2 }])
    expect(setAside.map(({ eventId }) => eventId)).toEqual(['evt_2'])
    const nothing = planSettlement(read, outcome({ unavailable: 'down' }))
    expect(nothing).toEqual({ advances: [], setAside: [] })
  })

  it('sets aside rejected rows and those that wait, and ignores rows of `outbox`', () => {
    const [rejected, waiting, other] = [row(1), row(2), row(3, 0, 'outbox')]
    const read = { cursors: [cursor(0)], rows: [rejected, waiting, other], isFull: false }
    const failed = [{ row: rejected, error: 'invalid', fatal: true }]
    const { advances, setAside } = planSettlement(read, outcome({ failed, waiting: [waiting] }))
    expect(advances).toEqual([{ cursor: cursor(0), isComplete: true, position: 2 }])
    expect(setAside).toEqual([
      { eventId: 'evt_1', shard: 0, error: 'invalid', fatal: true },
      { eventId: 'evt_2', shard: 0, error: null, fatal: false },
    ])
  })
})
