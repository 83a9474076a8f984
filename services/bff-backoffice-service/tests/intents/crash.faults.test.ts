import { idToUuid, parseId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CRASH_POINTS, crashAt, endClaims, expectOneVerdict, storedVerdict } from './crash.ts'
import { verdictOf } from './intent-device.ts'
import { chargeOf, chargesOf, nextTask, shared, start, startShared } from './intent-fixture.ts'
import { submitUnguarded, withOwnKeys } from './submit-unguarded.ts'

beforeAll(startShared)
afterAll(() => shared.office[Symbol.asyncDispose]())

/** How often the task was started, by its history. */
async function startsOf(taskId: string): Promise<number> {
  const { environment } = shared.office.sandbox
  const rows = await environment.query(
    `select 1 from ${environment.schema}.housekeeping_task_history
     where task_id = $1 and status = 'in_progress'`,
    [idToUuid(parseId('hkt', taskId))],
  )
  return rows.length
}

describe.each(CRASH_POINTS)('STAFF-INT-03 killed at $point', ({ point, effects, verdict }) => {
  it('a charge is posted once', async () => {
    const crashed = await crashAt(point, chargeOf)
    const { intent } = crashed
    expect([await chargesOf(intent), await storedVerdict(intent)]).toEqual([effects, verdict])
    await crashed.repeat()
    expect(await chargesOf(intent)).toBe(1)
    await expectOneVerdict(crashed)
  }, 90_000)

  it('a task is started once', async () => {
    const task = await nextTask()
    const crashed = await crashAt(point, (device) => start(task, device))
    const before = [await startsOf(task.taskId), await storedVerdict(crashed.intent)]
    expect(before).toEqual([effects, verdict])
    await crashed.repeat()
    expect(await startsOf(task.taskId)).toBe(1)
    await expectOneVerdict(crashed)
  }, 90_000)
})

it('STAFF-INT-03 control: with a key of its own, the next attempt posts it again', async () => {
  const { device, intent } = await crashAt('intents.after_upstream', chargeOf)
  await endClaims(intent)
  const results = await submitUnguarded(device, [intent], { disable: withOwnKeys })
  expect(results.map(verdictOf)).toEqual(['applied'])
  expect(await chargesOf(intent)).toBe(2)
}, 90_000)
