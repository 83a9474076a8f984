import { describe, expect, it } from 'vitest'
import type { SettleDeps } from '../../src/intents/settle-intent.ts'
import { crashAt, expectOneVerdict, storedVerdict } from './crash.ts'
import { verdictOf } from './intent-device.ts'
import { chargeOf, chargesOf, shared } from './intent-fixture.ts'
import { submitUnguarded, withOwnKeys } from './submit-unguarded.ts'

/** As if the process ended before it could store a verdict. */
const withoutVerdicts = ({ intentStore }: Pick<SettleDeps, 'intentStore'>) => ({
  intentStore: { ...intentStore, decide: () => Promise.reject(new Error('not stored')) },
})

describe('STAFF-INT-03 a process that is killed', () => {
  it('between the effect and the verdict: one effect, one verdict', async () => {
    const crashed = await crashAt('intents.after_upstream', chargeOf)
    const { intent } = crashed
    expect([await chargesOf(intent), await storedVerdict(intent)]).toEqual([1, null])
    await crashed.repeat()
    expect(await chargesOf(intent)).toBe(1)
    await expectOneVerdict(crashed)
  }, 60_000)

  it('control: with a key of its own, the next attempt makes the effect again', async () => {
    const { desk } = shared
    const intent = chargeOf(desk)
    const lost = await submitUnguarded(desk, [intent], { disable: withoutVerdicts })
    expect(lost.map(verdictOf)).toEqual(['pending'])
    expect([await chargesOf(intent), await storedVerdict(intent)]).toEqual([1, null])
    const results = await submitUnguarded(desk, [intent], { disable: withOwnKeys })
    expect(results.map(verdictOf)).toEqual(['applied'])
    expect(await chargesOf(intent)).toBe(2)
  })
})
