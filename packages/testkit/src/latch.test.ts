import { describe, expect, it } from 'vitest'
import { barrier, latch } from './latch.ts'

describe('latch', () => {
  it('blocks all callers until it is opened, and none afterwards', async () => {
    const gate = latch()
    const order: string[] = []
    const waiting = gate.promise.then(() => order.push('through'))
    order.push('before')
    expect(gate.isOpen).toBe(false)
    gate.open()
    await waiting
    await gate.promise
    expect(order).toEqual(['before', 'through'])
  })
})

describe('barrier', () => {
  it('blocks all callers until the last has arrived', async () => {
    const meeting = barrier(2)
    let passed = 0
    const pass = async () => {
      await meeting.arrive()
      passed += 1
    }
    const first = pass()
    await Promise.resolve()
    expect([meeting.arrived, passed]).toEqual([1, 0])
    await Promise.all([first, pass()])
    expect(passed).toBe(2)
  })
})
