import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import type { SettleDeps } from '../../src/intents/settle-intent.ts'
import { verdictOf } from './intent-device.ts'
import { complete, expecting, nextTask, shared, start } from './intent-fixture.ts'
import { submitUnguarded } from './submit-unguarded.ts'

/** As if a rejection were no verdict. */
const withoutRejections = ({ intentStore }: Pick<SettleDeps, 'intentStore'>) => ({
  intentStore: {
    ...intentStore,
    decide: async (...[claimed, decision, deadline]: Parameters<typeof intentStore.decide>) => {
      if (decision.verdict.verdict === 'rejected') throw new Error('not stored')
      return await intentStore.decide(claimed, decision, deadline)
    },
  },
})

describe('a batch', () => {
  it('settles the intents of a resource by number, whatever their order in the request', async () => {
    const { lead } = shared
    const task = await nextTask()
    const first = start(task)
    const second = complete(task.taskId, task.version + 1)
    const third = lead.intent('task.inspect', task.taskId, expecting(task.version + 2))
    const results = await lead.submit([third, second, first])
    expect(results.map(verdictOf)).toEqual(['applied', 'applied', 'applied'])
    expect(results.map(({ intentId }) => intentId)).toEqual([
      third.intentId,
      second.intentId,
      first.intentId,
    ])
  })

  it('STAFF-INT-04 an invalid intent does not block the others', async () => {
    const { lead, folio } = shared
    const task = await nextTask()
    const results = await lead.submit([
      7,
      { intentId: 'no id' },
      lead.intent('task.complete', task.taskId, { expect: { version: 'seven' } }),
      lead.intent('no.such_intent', task.taskId),
      lead.intent('task.start', folio.folioId, expecting(1)),
      lead.intent('task.start', newId('hkt'), expecting(1)),
      start(task),
    ])
    expect(
      results.map(({ verdict, code, next }) => [verdict, code?.split('.').at(-1), next]),
    ).toEqual([
      ...Array.from({ length: 5 }, () => ['rejected', 'VALIDATION_FAILED', 'fix']),
      ['rejected', 'RESOURCE_NOT_FOUND', 'drop'],
      ['applied', undefined, undefined],
    ])
  })

  it('STAFF-INT-04 control: without a verdict on it, the next on its resource waits', async () => {
    const { lead } = shared
    const task = await nextTask()
    const occurredAt = new Date(Date.now() - 8 * 86_400_000).toISOString()
    const batch = [start(task, lead, { occurredAt }), start(task)]
    const blocked = await submitUnguarded(lead, batch, { disable: withoutRejections })
    expect(blocked.map(verdictOf)).toEqual(['pending', 'pending'])
    expect((await lead.submit(batch)).map(verdictOf)).toEqual(['rejected', 'applied'])
  })

  it('stores no verdict on an unknown name, which a later version may know', async () => {
    const { lead } = shared
    const unknown = lead.intent('no.such_intent', (await nextTask()).taskId)
    const [first] = await lead.submit([unknown])
    expect(first).toMatchObject({ verdict: 'rejected', next: 'fix', replayed: false })
    expect((await lead.read(`/offline-actions/${unknown.intentId}`)).status).toBe(404)
    // The same id with the content that the device meant.
    const meant = { ...start(await nextTask()), intentId: unknown.intentId }
    expect((await lead.submit([meant])).map(verdictOf)).toEqual(['applied'])
  })

  it.each([
    ['/occurredAt', { occurredAt: 'yesterday' }],
    ['/occurredAt', { occurredAt: '2026-12-31T23:59:60Z' }],
    ['/expect/version', { expect: { version: 'seven' } }],
    ['/expect/version', { expect: {} }],
    ['/args/room', { args: { room: 7 } }],
    ['/resourceId', { resourceId: newId('fol') }],
    ['/resourceId', { resourceId: 7 }],
    ['/colour', { colour: 'red' }],
  ])('names %s as invalid and leaves the id to the corrected intent', async (pointer, wrong) => {
    const { lead } = shared
    const meant = start(await nextTask())
    const [invalid] = await lead.submit([{ ...meant, ...wrong }])
    expect(invalid).toMatchObject({ verdict: 'rejected', next: 'fix', replayed: false })
    expect(invalid?.code).toBe('MELMASTOON.GENERAL.VALIDATION_FAILED')
    expect(invalid?.errors?.map((each) => each.pointer)).toEqual([pointer])
    expect((await lead.read(`/offline-actions/${meant.intentId}`)).status).toBe(404)
    expect((await lead.submit([meant])).map(verdictOf)).toEqual(['applied'])
  })

  it('STAFF-INT-13 rejects 101 intents and 256 KiB and one byte as a whole', async () => {
    const { lead } = shared
    const intents = Array.from({ length: 101 }, () => 0)
    await expect(lead.submit(intents)).rejects.toThrow('400')
    expect(await lead.submit(intents.slice(1))).toHaveLength(100)
    const empty = JSON.stringify({
      sentAt: new Date().toISOString(),
      bootId: 'boot-1',
      intents: [''],
    })
    const space = 256 * 1024 - empty.length
    expect(await lead.submit(['x'.repeat(space)])).toHaveLength(1)
    const tooLarge = ['x'.repeat(space + 1)]
    await expect(lead.submit(tooLarge)).rejects.toThrow('413')
    // The control: without the limits of the route both are processed.
    expect(await submitUnguarded(lead, intents)).toHaveLength(101)
    expect(await submitUnguarded(lead, tooLarge)).toHaveLength(1)
  })
})
