import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { newId, parseId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { intentDecided } from '../../../src/events/intent-events.ts'
import { registry } from '../../../src/events/registry.ts'
import type { IntentStore } from '../../../src/intents/intent-store.ts'
import { activityOf } from '../../activity/activity-fixture.ts'
import { nextTask, shared } from '../intent-fixture.ts'
import { causeOf } from '../submit-unguarded.ts'
import { runStoreScript, runUpstreamScript } from './conformance.ts'
import { FakeHotel } from './fake-hotel.ts'
import { MemoryIntentTable } from './memory-intent-store.ts'
import { simulatedOperator } from './simulate.ts'

describe('the simulation', () => {
  it('behaves as the sandbox', async () => {
    const { office, manager, folio } = shared
    const { ctx } = office.service
    const operator = { ...simulatedOperator(), ...manager.tokens }
    using deadline = createDeadline(20_000)
    const call = { deadline, trace: newTrace() }
    const { taskId } = await nextTask()
    const common = { operator, call, currency: folio.currency as 'AED' }
    const real = await runUpstreamScript({
      ...common,
      upstreams: ctx.upstreams,
      taskId: parseId('hkt', taskId),
      folioId: parseId('fol', folio.folioId),
    })
    const hotel = new FakeHotel()
    const simulated = await runUpstreamScript({
      ...common,
      upstreams: hotel.upstreams(() => Promise.resolve()),
      taskId: parseId('hkt', hotel.addTask('pending', 1)),
      folioId: hotel.folioId,
    })
    expect(simulated).toEqual(real)
    expect(new Set(real.map((outcome) => JSON.stringify(outcome))).size).toBeGreaterThan(8)
  })

  it('has a table that behaves as Postgres', async () => {
    const real = await runOn(shared.office.service.ctx.intentStore)
    const simulated = await runOn(new MemoryIntentTable().store(() => Promise.resolve()))
    expect(simulated).toEqual(real)
    expect(real).toContain('reused')
  })
})

function runOn(store: IntentStore): Promise<unknown[]> {
  const { tenantId, operatorId, sessionId, deviceId } = shared.manager.tokens
  const key = { deviceId: newId('dev'), intentId: newId('int') }
  const resourceId = newId('hkt')
  const intent = {
    ...key,
    tenantId,
    operatorId,
    resourceId,
    name: 'task.start',
    seq: 1,
    contentHash: 'hash',
    bootId: 'boot',
    occurredAt: new Date(),
    clockSuspect: false,
    receivedAt: new Date(),
  }
  const payload = {
    ...key,
    operatorId,
    resourceId,
    propertyId: null,
    intentName: 'task.start',
    verdict: 'applied' as const,
    code: null,
    clockSuspect: false,
    occurredAt: null,
  }
  const event = registry.build(intentDecided.subject, payload, causeOf(shared.manager))
  const activity = activityOf(tenantId, { operatorId, deviceId, sessionId })
  const verdict = { verdict: 'applied' } as const
  const decision = { verdict, propertyId: null, decidedAt: new Date(), activity, event }
  return runStoreScript(store, intent, decision)
}
