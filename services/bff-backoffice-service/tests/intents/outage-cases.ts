import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import type { SettleDeps } from '../../src/intents/settle-intent.ts'
import { verdictOf } from './intent-device.ts'
import { chargeOf, chargesOf, complete, nextTask, shared, start } from './intent-fixture.ts'
import { submitUnguarded } from './submit-unguarded.ts'

/** As if no response were taken for a rejection. */
const withDefiniteOutages = ({ upstreams }: Pick<SettleDeps, 'upstreams'>) => {
  const { housekeeping } = upstreams
  const unguarded: typeof housekeeping = {
    ...housekeeping,
    getTask: (input, call) =>
      housekeeping.getTask(input, call).catch(() => {
        throw new UpstreamRejection('housekeeping', 404, {})
      }),
  }
  return { upstreams: { ...upstreams, housekeeping: unguarded } }
}

describe('an upstream that is down', () => {
  it('STAFF-INT-07 is pending at first, then has one verdict', async () => {
    const { office, manager } = shared
    const task = await nextTask()
    const intents = [start(task, manager), complete(task.taskId, task.version + 1, manager)]
    const charge = chargeOf(manager)
    const same = { idempotencyKey: newId('req'), sentAt: new Date() }
    office.faults.set('housekeeping', 'down')
    const held = await manager.submit([...intents, charge], same)
    office.faults.clear()
    expect(held.map(verdictOf)).toEqual(['pending', 'pending', 'applied'])
    await eventually(async () => {
      const [first] = await manager.submit(intents.slice(0, 1))
      expect(verdictOf(first)).toBe('applied')
    })
    const settled = await manager.submit([...intents, charge], same)
    expect(settled.map((each) => [each.verdict, each.replayed])).toEqual([
      ['applied', true],
      ['applied', false],
      ['applied', true],
    ])
    expect(await manager.submit([...intents, charge], same)).toEqual(settled)
    expect(await chargesOf(charge)).toBe(1)
  })

  it('STAFF-INT-07 control: an outage taken for a rejection is final', async () => {
    const { office, manager } = shared
    const intents = [start(await nextTask(), manager)]
    office.faults.set('housekeeping', 'down')
    const during = await submitUnguarded(manager, intents, { disable: withDefiniteOutages })
    office.faults.clear()
    expect(during.map(verdictOf)).toEqual(['rejected'])
    const after = await manager.submit(intents)
    expect(after).toMatchObject([{ verdict: 'rejected', replayed: true }])
  })
})
