import { describe, expect, it } from 'vitest'
import type { SettleDeps } from '../../src/intents/settle-intent.ts'
import { verdictOf } from './intent-device.ts'
import { complete, nextTask, shared, start } from './intent-fixture.ts'
import { submitUnguarded } from './submit-unguarded.ts'

type Upstreams = Pick<SettleDeps, 'upstreams'>

/** As if the version that the operator had seen were always the current one. */
const withoutVersions =
  (expected: number) =>
  ({ upstreams }: Upstreams) => {
    const { housekeeping } = upstreams
    const unguarded: typeof housekeeping = {
      ...housekeeping,
      getTask: async (input, call) => ({
        ...(await housekeeping.getTask(input, call)),
        version: expected,
      }),
      completeTask: ({ params, body: { actor } }, call) =>
        housekeeping.completeTask({ params, body: { actor } }, call),
    }
    return { upstreams: { ...upstreams, housekeeping: unguarded } }
  }

/** As if upstreams did not keep who made a version. */
const withoutHistory = ({ upstreams }: Upstreams) => {
  const { housekeeping } = upstreams
  const unguarded: typeof housekeeping = {
    ...housekeeping,
    getTask: async (input, call) => ({
      ...(await housekeeping.getTask(input, call)),
      history: [],
    }),
  }
  return { upstreams: { ...upstreams, housekeeping: unguarded } }
}

/** A task that the manager has started while the lead was offline. */
async function startedByManager() {
  const { manager } = shared
  const task = await nextTask()
  expect((await manager.submit([start(task, manager)])).map(verdictOf)).toEqual(['applied'])
  return task
}

describe('another was faster', () => {
  it('STAFF-INT-05 superseded says who, when, and the current state', async () => {
    const { lead, manager } = shared
    const { taskId, version } = await startedByManager()
    const [late] = await lead.submit([complete(taskId, version)])
    expect(late).toMatchObject({
      verdict: 'superseded',
      by: manager.tokens.operatorId,
      current: { status: 'in_progress', version: version + 1 },
    })
    expect(Date.parse(late?.at ?? '')).toBeGreaterThan(Date.now() - 60_000)
    // With the version that the device should have seen.
    const [current] = await lead.submit([complete(taskId, version + 1)])
    expect(verdictOf(current)).toBe('applied')
  })

  it('STAFF-INT-05 control: without versions the change of another is overwritten', async () => {
    const { taskId, version } = await startedByManager()
    const disable = withoutVersions(version)
    const results = await submitUnguarded(shared.lead, [complete(taskId, version)], { disable })
    expect(results.map(verdictOf)).toEqual(['applied'])
  })

  it('STAFF-INT-06 already done says who and when', async () => {
    const { lead, manager } = shared
    const task = await startedByManager()
    const [same] = await lead.submit([start(task)])
    expect(same).toMatchObject({ verdict: 'already_done', by: manager.tokens.operatorId })
    expect(Date.parse(same?.at ?? '')).toBeGreaterThan(Date.now() - 60_000)
    // The control: without the history nobody is named.
    const unnamed = await submitUnguarded(lead, [start(task)], { disable: withoutHistory })
    expect(unnamed).toMatchObject([{ verdict: 'already_done', by: null }])
  })
})
