import type { Queryable, Statement } from '@melmastoon/chassis/db'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ScoreLog } from './score-log.ts'

const ROW = {
  guest_session_id: null,
  fingerprint_hash: 'sha256:1',
  ip_hash: 'sha256:2',
  score: 0,
  verdict: 'human',
  signals: [],
} as const

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function openLog() {
  const seen = { batches: [] as number[], dropped: 0, isDown: false }
  const db: Queryable = {
    async query<R>({ values }: Statement<R>): Promise<R[]> {
      if (seen.isDown) throw new Error('down')
      seen.batches.push((JSON.parse(String(values[0])) as unknown[]).length)
      return []
    },
  }
  const log = new ScoreLog({
    db,
    onDropped: (count) => {
      seen.dropped += count
    },
    onError: () => undefined,
  })
  return { log, seen }
}

it('writes at most 200 rows in a quarter of a second, and the rest on disposal', async () => {
  const { log, seen } = openLog()
  for (let at = 0; at < 450; at += 1) log.add(ROW)
  await vi.advanceTimersByTimeAsync(250)
  expect(seen.batches).toEqual([200])
  await vi.advanceTimersByTimeAsync(250)
  expect(seen.batches).toEqual([200, 200])
  log.add(ROW)
  await log[Symbol.asyncDispose]()
  expect(seen.batches).toEqual([200, 200, 51])
})

it('drops and counts rows beyond the queue', async () => {
  const { log, seen } = openLog()
  for (let at = 0; at < 5_003; at += 1) log.add(ROW)
  expect(seen.dropped).toBe(3)
  await log.flush()
  expect(seen.batches.reduce((sum, rows) => sum + rows, 0)).toBe(5_000)
})

it('continues after a failed write', async () => {
  const { log, seen } = openLog()
  seen.isDown = true
  log.add(ROW)
  await log.flush()
  seen.isDown = false
  log.add(ROW)
  await vi.advanceTimersByTimeAsync(250)
  expect([seen.dropped, seen.batches]).toEqual([1, [1]])
})
