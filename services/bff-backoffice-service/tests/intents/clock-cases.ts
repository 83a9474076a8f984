import { describe, expect, it } from 'vitest'
import { intentDevice, verdictOf } from './intent-device.ts'
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
    // The time that is shown is not before the last contact.
    expect(Date.parse(results[1]?.occurredAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
    // The control: a clock that was set since proves nothing.
    const suspect = await fresh.submit([await old()], { bootId: 'boot-2' })
    expect(suspect.map(verdictOf)).toEqual(['applied'])
  })
})
