import { describe, expect, it } from 'vitest'
import type { SettleDeps } from '../../src/intents/settle-intent.ts'
import { verdictOf } from './intent-device.ts'
import {
  chargeOf,
  chargesOf,
  complete,
  forgetUpstreamKeys,
  nextTask,
  query,
  shared,
  start,
} from './intent-fixture.ts'
import { submitUnguarded, withOwnKeys } from './submit-unguarded.ts'

const forgetVerdict = (intentId: string) =>
  query('delete from $schema.offline_intent_verdict where intent_id = $1', [intentId])

/** As if an id stood for its intent whatever its content. */
const withoutContent = ({ intentStore }: Pick<SettleDeps, 'intentStore'>) => ({
  intentStore: {
    ...intentStore,
    claim: async (...[intent, deadline]: Parameters<typeof intentStore.claim>) => {
      const known = await intentStore.find(intent, intent.intentId, deadline)
      const contentHash = known?.contentHash ?? intent.contentHash
      return await intentStore.claim({ ...intent, contentHash }, deadline)
    },
  },
})

describe('an intent that is sent again', () => {
  it('STAFF-INT-02 has no effect and keeps its verdict', async () => {
    const { desk, lead } = shared
    const charge = chargeOf(desk)
    const twice = await desk.submit([charge, charge])
    expect(twice.map((each) => [each.verdict, each.replayed])).toEqual([
      ['applied', false],
      ['applied', true],
    ])
    // A task that is not started cannot be completed: rejected, also after it was started.
    const task = await nextTask()
    const early = complete(task.taskId, task.version)
    const [rejected] = await lead.submit([early])
    expect(rejected).toMatchObject({
      verdict: 'rejected',
      code: 'MELMASTOON.HOUSEKEEPING.ROOM_STATE_CONFLICT',
      next: 'retry_online',
    })
    expect((await lead.submit([start(task)])).map(verdictOf)).toEqual(['applied'])
    // Keys are kept for a day: on day 8 only the verdict is known.
    await query('delete from $schema.idempotency')
    await forgetUpstreamKeys()
    const [again] = await lead.submit([early])
    expect(again).toEqual({ ...rejected, replayed: true })
    expect((await desk.submit([charge])).map(({ replayed }) => replayed)).toEqual([true])
    expect(await chargesOf(charge)).toBe(1)
    // The control: without the table the same intent gets another verdict.
    await forgetVerdict(early.intentId)
    expect((await lead.submit([early])).map(verdictOf)).toEqual(['superseded'])
  })

  it('STAFF-INT-10 with other content is rejected; on another device it has its own verdict', async () => {
    const { lead, manager, desk } = shared
    const original = start(await nextTask())
    const [applied] = await lead.submit([original])
    expect(verdictOf(applied)).toBe('applied')
    const changed = { ...original, resourceId: (await nextTask()).taskId }
    const [reused] = await lead.submit([changed])
    expect(reused).toMatchObject({
      verdict: 'rejected',
      code: 'MELMASTOON.BFF.BACKOFFICE.INTENT_ID_REUSED',
    })
    const [foreign] = await manager.submit([original])
    expect(foreign).toMatchObject({ verdict: 'already_done', by: lead.tokens.operatorId })
    expect((await lead.submit([original]))[0]).toEqual({ ...applied, replayed: true })
    const path = `/offline-actions/${original.intentId}`
    expect((await lead.read(path)).body['verdict']).toBe('applied')
    expect((await manager.read(path)).body['verdict']).toBe('already_done')
    expect((await desk.read(path)).status).toBe(404)
    // The control: without the content a change that was not made is reported as applied.
    const confused = await submitUnguarded(lead, [changed], { disable: withoutContent })
    expect(confused).toMatchObject([{ verdict: 'applied', replayed: true }])
  })

  it('STAFF-INT-12 posts a charge once, also after 25 hours without any key', async () => {
    const { desk } = shared
    const charge = chargeOf(desk, 900)
    expect((await desk.submit([charge])).map(verdictOf)).toEqual(['applied'])
    await forgetVerdict(charge.intentId)
    await forgetUpstreamKeys()
    expect((await desk.submit([charge])).map(verdictOf)).toEqual(['applied'])
    expect(await chargesOf(charge)).toBe(1)
    // The control: without the intent as its cause the charge is posted again.
    await forgetVerdict(charge.intentId)
    const results = await submitUnguarded(desk, [charge], { disable: withOwnKeys })
    expect(results.map(verdictOf)).toEqual(['applied'])
    expect(await chargesOf(charge)).toBe(2)
  })

  it('does not change its verdict, which is stored with activity and event', async () => {
    const { lead, propertyId } = shared
    const intent = start(await nextTask())
    await lead.submit([intent])
    await lead.submit([intent])
    const activities = await query<{ action: string; outcome: string }>(
      'select action, outcome from $schema.operator_activity where resource_id = $1',
      [intent.resourceId],
    )
    expect(activities).toEqual([{ action: 'offline.task.start', outcome: 'success' }])
    const events = await query<{ payload: object }>(
      `select payload from $schema.outbox where payload->>'intentId' = $1
       union all select payload from $schema.outbox_published where payload->>'intentId' = $1`,
      [intent.intentId],
    )
    expect(events).toMatchObject([{ payload: { verdict: 'applied', propertyId } }])
    await expect(
      query("update $schema.offline_intent_verdict set verdict = 'rejected' where intent_id = $1", [
        intent.intentId,
      ]),
    ).rejects.toThrow('a verdict does not change')
  })
})
