import { describe, expect, it } from 'vitest'
import type { IntentResult } from '../../src/intents/intent-view.ts'
import { intentDevice, type TestIntent, verdictOf } from './intent-device.ts'
import { complete, nextTask, shared, start } from './intent-fixture.ts'

const DAY_MS = 86_400_000

describe('the clock of a device', () => {
  it.each([-3, 3])('STAFF-INT-09 decides nothing when it is wrong by %i days', async (days) => {
    const { lead } = shared
    const task = await nextTask()
    const wrong = (ms: number) => new Date(Date.now() + days * DAY_MS + ms)
    const occurredAt = wrong(-60_000).toISOString()
    const intents = [
      start(task, lead, { occurredAt }),
      complete(task.taskId, task.version + 1, lead, { occurredAt: new Date().toISOString() }),
      complete(task.taskId, task.version, lead, { occurredAt }),
    ]
    const results = await lead.submit(intents, { sentAt: wrong(0), bootId: `boot${days}` })
    expect(results.map(verdictOf)).toEqual(['applied', 'applied', 'already_done'])
    expect(results.every(({ clockSuspect }) => clockSuspect)).toBe(true)
    const shown = results.map((each) => Date.parse(each.occurredAt ?? '') - Date.now())
    expect(Math.max(...shown)).toBeLessThanOrEqual(0)
    expect(Math.min(...shown)).toBeGreaterThan(-3_600_000)
  })

  it('STAFF-INT-09 control: without the time of sending, a clock that is slow makes it expire', async () => {
    const fresh = await intentDevice(shared.office, 'housekeeping-lead')
    const task = await nextTask()
    const slow = (ms: number) => new Date(Date.now() - 8 * DAY_MS + ms)
    const occurredAt = slow(-60_000).toISOString()
    const [uncorrected] = await fresh.submit([start(task, fresh, { occurredAt })])
    expect(uncorrected?.code).toBe('MELMASTOON.BFF.BACKOFFICE.INTENT_EXPIRED')
    const corrected = await fresh.submit([start(task, fresh, { occurredAt })], { sentAt: slow(0) })
    expect(corrected.map(verdictOf)).toEqual(['applied'])
  })

  it('keeps the times of a correct clock in later batches, in every form of RFC 3339', async () => {
    const fresh = await intentDevice(shared.office, 'housekeeping-lead')
    expect((await fresh.submit([start(await nextTask(), fresh)])).map(verdictOf)).toEqual([
      'applied',
    ])
    const day = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10)
    const times = ['15:30:27Z', '15:30:27.1Z', '15:30:27.123456Z', '20:00:27+04:30']
    const intents: TestIntent[] = []
    for (const time of times) {
      intents.push(start(await nextTask(), fresh, { occurredAt: `${day}T${time}` }))
    }
    const distances = (results: readonly IntentResult[]) =>
      results.map(({ occurredAt = '' }) =>
        Math.abs(Date.parse(occurredAt) - Date.parse(`${day}T15:30:27Z`)),
      )
    const results = await fresh.submit(intents)
    expect(results.map(verdictOf)).toEqual(times.map(() => 'applied'))
    expect(Math.max(...distances(results))).toBeLessThan(60_000)
    // The control: after a restart the clock proves nothing, and the last contact is the limit.
    const occurredAt = `${day}T15:30:27Z`
    const suspect = [start(await nextTask(), fresh, { occurredAt })]
    const [shown = 0] = distances(await fresh.submit(suspect, { bootId: 'boot-2' }))
    expect(shown).toBeGreaterThan(DAY_MS / 2)
  })

  it('rejects what is older than seven days, also after an earlier batch', async () => {
    const fresh = await intentDevice(shared.office, 'housekeeper')
    const occurredAt = new Date(Date.now() - 7.1 * DAY_MS).toISOString()
    const old = async () => start(await nextTask(), fresh, { occurredAt })
    const results = [...(await fresh.submit([await old()])), ...(await fresh.submit([await old()]))]
    const code = 'MELMASTOON.BFF.BACKOFFICE.INTENT_EXPIRED'
    expect(results).toMatchObject([
      { verdict: 'rejected', code },
      { verdict: 'rejected', code },
    ])
    // The control: a clock that was set since proves nothing.
    const suspect = await fresh.submit([await old()], { bootId: 'boot-2' })
    expect(suspect.map(verdictOf)).toEqual(['applied'])
  })
})
