import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { type TestIntent, verdictOf } from './intent-device.ts'
import { chargeOf, complete, nextTask, query, shared, start } from './intent-fixture.ts'

const FAILED = 'MELMASTOON.BFF.BACKOFFICE.INTENT_DEPENDENCY_FAILED'

/** The intent has arrived so many minutes earlier. */
const age = ({ intentId }: TestIntent, minutes: number) =>
  query(
    `update $schema.offline_intent_verdict
     set received_at = received_at - $2 * interval '1 minute' where intent_id = $1`,
    [intentId, minutes],
  )

describe('a dependency', () => {
  it('STAFF-INT-08 that is rejected rejects what depends on it', async () => {
    const { lead } = shared
    const task = await nextTask()
    const broken = lead.intent('task.start', task.taskId, { expect: { version: 'x' } })
    const dependent = start(task, lead, { dependsOn: broken.intentId })
    const third = chargeOf(lead, 100, { dependsOn: dependent.intentId })
    const self = newId('int')
    const cyclic = start(await nextTask(), lead, { intentId: self, dependsOn: self })
    const results = await lead.submit([third, dependent, broken, cyclic])
    expect(results.map((each) => each.code ?? each.verdict)).toEqual([
      'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN',
      FAILED,
      'MELMASTOON.GENERAL.VALIDATION_FAILED',
      FAILED,
    ])
    // The control: the same change, without the dependency and with one that was applied.
    const first = start(task)
    expect((await lead.submit([first])).map(verdictOf)).toEqual(['applied'])
    const next = complete(task.taskId, task.version + 1, lead, { dependsOn: first.intentId })
    expect((await lead.submit([next])).map(verdictOf)).toEqual(['applied'])
  })

  it('that arrives later is waited for, together with what follows on the resource', async () => {
    const { lead } = shared
    const [task, other] = [await nextTask(), await nextTask()]
    const dependency = start(other)
    const waiting = start(task, lead, { dependsOn: dependency.intentId })
    const following = complete(task.taskId, task.version + 1)
    const batch = [waiting, following]
    expect((await lead.submit(batch)).map(verdictOf)).toEqual(['pending', 'pending'])
    const path = `/offline-actions/${waiting.intentId}`
    expect((await lead.read(path)).body).toMatchObject({ pending: true })
    expect((await lead.submit([following])).map(verdictOf)).toEqual(['pending'])
    expect((await lead.submit([dependency])).map(verdictOf)).toEqual(['applied'])
    expect((await lead.submit(batch)).map(verdictOf)).toEqual(['applied', 'applied'])
  })

  it('that does not arrive within ten minutes counts as failed', async () => {
    const { lead } = shared
    const task = await nextTask()
    const waiting = start(task, lead, { dependsOn: newId('int') })
    const following = start(task)
    expect((await lead.submit([waiting])).map(verdictOf)).toEqual(['pending'])
    await age(waiting, 9)
    expect((await lead.submit([waiting])).map(verdictOf)).toEqual(['pending'])
    await age(waiting, 2)
    const results = await lead.submit([waiting, following])
    expect(results.map((each) => each.code ?? each.verdict)).toEqual([FAILED, 'applied'])
    expect(await lead.submit([waiting])).toMatchObject([{ code: FAILED, replayed: true }])
  })

  it('that is held back has arrived: it is waited for during an outage', async () => {
    const { lead, office } = shared
    const [task, other] = [await nextTask(), await nextTask()]
    const first = start(other)
    const heldBack = complete(other.taskId, other.version + 1)
    office.faults.set('housekeeping', 'down')
    const during = await lead.submit([first, heldBack])
    office.faults.clear()
    expect(during.map(verdictOf)).toEqual(['pending', 'pending'])
    const waiting = start(task, lead, { dependsOn: heldBack.intentId })
    expect((await lead.submit([waiting])).map(verdictOf)).toEqual(['pending'])
    await age(waiting, 60)
    expect((await lead.submit([waiting])).map(verdictOf)).toEqual(['pending'])
    await expect
      .poll(async () => (await lead.submit([first, heldBack, waiting])).map(verdictOf))
      .toEqual(['applied', 'applied', 'applied'])
  })

  it('on each other, in different batches: both are rejected after a day', async () => {
    const { lead } = shared
    const [one, two] = [newId('int'), newId('int')]
    const first = start(await nextTask(), lead, { intentId: one, dependsOn: two })
    const second = start(await nextTask(), lead, { intentId: two, dependsOn: one })
    expect((await lead.submit([first])).map(verdictOf)).toEqual(['pending'])
    expect((await lead.submit([second])).map(verdictOf)).toEqual(['pending'])
    await age(first, 24 * 60 + 1)
    expect((await lead.submit([first])).map(({ code }) => code)).toEqual([FAILED])
    expect((await lead.submit([second])).map(({ code }) => code)).toEqual([FAILED])
  })
})
