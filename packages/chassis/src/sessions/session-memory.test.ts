import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../clock/index.ts'
import { createSessionMemory } from './session-memory.ts'

const ID = newId('gms')
const session = { id: ID, version: 1, data: {} }

function clockAt(start: number): Clock & { ms: number } {
  const clock = {
    ms: start,
    now: () => new Date(clock.ms),
    nowMs: () => clock.ms,
    monotonicMs: () => clock.ms,
  }
  return clock
}

function memoryAt(clock: Clock) {
  const memory = createSessionMemory({ clock, memoryMs: 2_000, confirmedMemoryMs: 60_000 })
  memory.subscribed()
  return memory
}

describe('session memory', () => {
  it('returns a copy while it is fresh, and as stale for a minute longer', async () => {
    const clock = clockAt(0)
    const memory = memoryAt(clock)
    await memory.fill(ID, 'cookie', () => Promise.resolve(session))
    clock.ms = 2_000
    expect(memory.get(ID, 'cookie')).toBe(session)
    clock.ms = 2_001
    expect(memory.get(ID, 'cookie')).toBeNull()
    expect(memory.getStale(ID, 'cookie')).toBe(session)
    clock.ms = 62_001
    expect(memory.getStale(ID, 'cookie')).toBeNull()
  })

  it.each([
    ['forget', true],
    ['forget for a later version', true],
    ['forget for this version', false],
    ['clear', true],
    ['nothing', false],
  ] as const)('caches a value unless it changed while it was read: %s', async (what, dropped) => {
    const memory = memoryAt(clockAt(0))
    const { promise, resolve } = Promise.withResolvers<typeof session>()
    const filling = memory.fill(ID, 'cookie', () => promise)
    if (what === 'forget') memory.forget(ID)
    if (what === 'forget for a later version') memory.forget(ID, 2)
    if (what === 'forget for this version') memory.forget(ID, 1)
    if (what === 'clear') memory.clear()
    resolve(session)
    expect(await filling).toBe(session)
    expect(memory.get(ID, 'cookie')).toBe(dropped ? null : session)
  })

  it('discards both of two concurrent reads when the session changes', async () => {
    const memory = memoryAt(clockAt(0))
    const reads = [1, 2].map(() => Promise.withResolvers<typeof session>())
    const fills = reads.map(({ promise }) => memory.fill(ID, 'cookie', () => promise))
    memory.forget(ID)
    for (const { resolve } of reads) resolve(session)
    await Promise.all(fills)
    expect(memory.get(ID, 'cookie')).toBeNull()
  })

  it('continues with the result of a change, and forgets it only for a later one', async () => {
    const memory = memoryAt(clockAt(0))
    await memory.fill(ID, 'cookie', () => Promise.resolve(session))
    const changed = { ...session, version: 2 }
    memory.renew(changed)
    memory.forget(ID, 2)
    expect([memory.get(ID, 'cookie'), memory.find(ID)]).toEqual([changed, changed])
    memory.forget(ID, 3)
    expect([memory.get(ID, 'cookie'), memory.find(ID)]).toEqual([null, null])
    memory.renew(changed)
    expect(memory.find(ID)).toBeNull()
  })

  it('caches no read that is older than a fresh copy', async () => {
    const clock = clockAt(0)
    const memory = memoryAt(clock)
    const later = { ...session, version: 2 }
    await memory.fill(ID, 'cookie', () => Promise.resolve(later))
    await memory.fill(ID, 'cookie', () => Promise.resolve(session))
    expect(memory.get(ID, 'cookie')).toBe(later)
    clock.ms = 2_001
    await memory.fill(ID, 'cookie', () => Promise.resolve(session))
    expect(memory.get(ID, 'cookie')).toBe(session)
  })

  it('returns a copy for a minute while it is confirmed, and for two seconds after', async () => {
    const clock = clockAt(0)
    const memory = memoryAt(clock)
    await memory.fill(ID, 'cookie', () => Promise.resolve(session))
    const foundAt = (ms: number) => {
      clock.ms = ms
      return memory.get(ID, 'cookie') !== null
    }
    for (let ms = 500; ms <= 30_000; ms += 500) {
      expect(foundAt(ms)).toBe(true)
      memory.confirm(ms)
    }
    expect([foundAt(32_000), foundAt(32_001)]).toEqual([true, false])
    memory.confirm(59_900)
    expect([foundAt(60_000), foundAt(60_001)]).toEqual([true, false])
  })

  it('control: a copy that is not confirmed is outdated after two seconds', async () => {
    const clock = clockAt(0)
    const memory = memoryAt(clock)
    await memory.fill(ID, 'cookie', () => Promise.resolve(session))
    memory.confirm(-1)
    clock.ms = 2_001
    expect(memory.get(ID, 'cookie')).toBeNull()
  })

  it('confirms nothing that was read before the subscription', async () => {
    const clock = clockAt(0)
    const memory = memoryAt(clock)
    await memory.fill(ID, 'cookie', () => {
      clock.ms = 1
      memory.subscribed()
      return Promise.resolve(session)
    })
    memory.confirm(2_000)
    clock.ms = 2_001
    expect(memory.get(ID, 'cookie')).toBeNull()
  })

  it('removes a confirmed copy when it changes', async () => {
    const memory = memoryAt(clockAt(0))
    await memory.fill(ID, 'cookie', () => Promise.resolve(session))
    memory.confirm(0)
    memory.forget(ID, 2)
    expect(memory.get(ID, 'cookie')).toBeNull()
  })

  it('does not affect other sessions', async () => {
    const memory = memoryAt(clockAt(0))
    const filling = memory.fill(ID, 'cookie', () => Promise.resolve(session))
    memory.forget('gms_2')
    await filling
    expect(memory.get(ID, 'cookie')).toBe(session)
  })

  it('needs the cookie that was verified, and forgets all cookies of a session together', async () => {
    const memory = memoryAt(clockAt(0))
    for (const cookie of ['with key 1', 'with key 2']) {
      await memory.fill(ID, cookie, () => Promise.resolve(session))
    }
    const found = () =>
      ['with key 1', 'with key 2', 'forged'].map((cookie) => memory.get(ID, cookie) !== null)
    expect(found()).toEqual([true, true, false])
    memory.forget(ID)
    expect(found()).toEqual([false, false, false])
  })
})
