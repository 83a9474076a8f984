import { describe, expect, it } from 'vitest'
import { ChaosError, chaos } from './chaos.ts'

class Counter {
  #value = 0
  readonly name = 'counter'

  async add(amount: number): Promise<number> {
    this.#value += amount
    return this.#value
  }

  current(): number {
    return this.#value
  }
}

describe('chaos', () => {
  it('passes everything through without rules', async () => {
    const { subject, faults } = chaos(new Counter())
    expect(await subject.add(2)).toBe(2)
    expect([subject.current(), subject.name, faults]).toEqual([2, 'counter', 0])
  })

  it('throws before the effect, as often as configured', async () => {
    const wrapped = chaos(new Counter(), { throwOn: ['add'], times: 1 })
    await expect(wrapped.subject.add(1)).rejects.toBeInstanceOf(ChaosError)
    expect(wrapped.subject.current()).toBe(0)
    expect(await wrapped.subject.add(1)).toBe(1)
    expect(wrapped.faults).toBe(1)
  })

  it('loses the result after the effect, with the configured error', async () => {
    const error = () => new RangeError('lost')
    const wrapped = chaos(new Counter(), { dropAfterEffectOn: ['add'], error })
    await expect(wrapped.subject.add(1)).rejects.toBeInstanceOf(RangeError)
    expect(wrapped.subject.current()).toBe(1)
  })

  it('stalls until healed and then continues', async () => {
    const wrapped = chaos(new Counter(), { stallOn: ['add'] })
    const pending = wrapped.subject.add(1)
    await Promise.resolve()
    expect(wrapped.subject.current()).toBe(0)
    wrapped.heal()
    expect(await pending).toBe(1)
    expect(await wrapped.subject.add(1)).toBe(2)
  })
})
