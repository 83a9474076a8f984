import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { verdictOf } from './intent-device.ts'
import { chargeOf, complete, nextTask, shared, start } from './intent-fixture.ts'

const FAILED = 'MELMASTOON.BFF.BACKOFFICE.INTENT_DEPENDENCY_FAILED'

describe('a dependency', () => {
  it('STAFF-INT-08 that is rejected rejects what depends on it', async () => {
    const { lead } = shared
    const task = await nextTask()
    const broken = lead.intent('task.start', task.taskId, { expect: { version: 'x' } })
    const dependent = start(task, lead, { dependsOn: broken.intentId })
    const third = chargeOf(lead, 100, { dependsOn: dependent.intentId })
    const unknown = start(await nextTask(), lead, { dependsOn: newId('int') })
    const self = newId('int')
    const cyclic = start(await nextTask(), lead, { intentId: self, dependsOn: self })
    const results = await lead.submit([third, dependent, broken, unknown, cyclic])
    expect(results.map((each) => each.code ?? each.verdict)).toEqual([
      'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN',
      FAILED,
      'MELMASTOON.GENERAL.VALIDATION_FAILED',
      FAILED,
      FAILED,
    ])
    // The control: a dependency that was applied, in an earlier batch.
    const first = start(task)
    await lead.submit([first])
    const next = complete(task.taskId, task.version + 1, lead, { dependsOn: first.intentId })
    expect((await lead.submit([next])).map(verdictOf)).toEqual(['applied'])
  })
})
