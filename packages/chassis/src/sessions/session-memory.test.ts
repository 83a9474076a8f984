import { describe, expect, it } from 'vitest'
import type { Clock } from '../clock/index.ts'
import { createSessionMemory } from './session-memory.ts'

const session = { id: 'gms_1', version: 1, data: {} }

function clockAt(start: number): Clock & { ms: number } {
  const clock = {
    ms: start,
    now: () => new Date(clock.ms),
    nowMs: () => clock.ms,
    monotonicMs: () => clock.ms,
  }
  return clock
}

describe('session memory', () => {
  it('answers while fresh, and as stale a minute longer', async () => {
    const clock = clockAt(0)
    const memory = createSessionMemory(2_000, clock)
    await memory.fill('gms_1', 'cookie', () => Promise.resolve(session))
    clock.ms = 2_000
    expect(memory.get('cookie')).toBe(session)
    clock.ms = 2_001
    expect(memory.get('cookie')).toBeNull()
    expect(memory.getStale('cookie')).toBe(session)
    clock.ms = 62_001
    expect(memory.getStale('cookie')).toBeNull()
  })

  it.each([
    ['forget', true],
    ['clear', true],
    ['nothing', false],
  ] as const)('keeps a value unless it changed while it was read: %s', async (what, dropped) => {
    const memory = createSessionMemory(2_000, clockAt(0))
    const { promise, resolve } = Promise.withResolvers<typeof session>()
    const filling = memory.fill('gms_1', 'cookie', () => promise)
    if (what === 'forget') memory.forget('gms_1')
    if (what === 'clear') memory.clear()
    resolve(session)
    expect(await filling).toBe(session)
    expect(memory.get('cookie')).toBe(dropped ? null : session)
  })

  it('a change while two read the same session spoils both', async () => {
    const memory = createSessionMemory(2_000, clockAt(0))
    const reads = [1, 2].map(() => Promise.withResolvers<typeof session>())
    const fills = reads.map(({ promise }) => memory.fill('gms_1', 'cookie', () => promise))
    memory.forget('gms_1')
    for (const { resolve } of reads) resolve(session)
    await Promise.all(fills)
    expect(memory.get('cookie')).toBeNull()
  })

  it('goes on with what a change made, and forgets it only for a later one', async () => {
    const memory = createSessionMemory(2_000, clockAt(0))
    await memory.fill('gms_1', 'cookie', () => Promise.resolve(session))
    const changed = { ...session, version: 2 }
    memory.renew(changed)
    memory.forget('gms_1', 2)
    expect([memory.get('cookie'), memory.find('gms_1')]).toEqual([changed, changed])
    memory.forget('gms_1', 3)
    expect([memory.get('cookie'), memory.find('gms_1')]).toEqual([null, null])
    memory.renew(changed)
    expect(memory.find('gms_1')).toBeNull()
  })

  it('keeps no read that is older than what is known, until that is old itself', async () => {
    const clock = clockAt(0)
    const memory = createSessionMemory(2_000, clock)
    const later = { ...session, version: 2 }
    await memory.fill('gms_1', 'cookie', () => Promise.resolve(later))
    await memory.fill('gms_1', 'cookie', () => Promise.resolve(session))
    expect(memory.get('cookie')).toBe(later)
    clock.ms = 2_001
    await memory.fill('gms_1', 'cookie', () => Promise.resolve(session))
    expect(memory.get('cookie')).toBe(session)
  })

  it('leaves other sessions alone', async () => {
    const memory = createSessionMemory(2_000, clockAt(0))
    const filling = memory.fill('gms_1', 'cookie', () => Promise.resolve(session))
    memory.forget('gms_2')
    await filling
    expect(memory.get('cookie')).toBe(session)
  })
})
