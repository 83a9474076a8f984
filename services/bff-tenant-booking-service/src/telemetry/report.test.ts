import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { newId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import { describe, expect, it } from 'vitest'
import { confirmationViewed } from '../events/confirmation-events.ts'
import { flowStepCompleted } from '../events/flow-events.ts'
import { registry } from '../events/registry.ts'
import { bootstrapServed, localeChanged } from '../events/session-events.ts'
import { recordOnce } from './record.ts'
import { report, reportOnce } from './report.ts'
import type { TelemetryActor } from './telemetry-actor.ts'

const tenantId = newId('tnt')

function fixture(sampleRates: Record<string, number> = {}) {
  const events: OutboxEvent[] = []
  const claimed = new Set<string>()
  const tasks: Promise<unknown>[] = []
  const refused: string[] = []
  let isDatabaseDown = false
  const counter = (inc: (subject: string) => void) => ({
    inc: ({ subject }: { subject: string }) => inc(subject),
  })
  const deps = {
    registry,
    flags: { sampleRates: () => sampleRates },
    telemetry: { add: (event: OutboxEvent) => events.push(event) > 0 },
    guestQueue: { runNowOrQueue: (_guest: string, step: () => void) => step() },
    measures: {
      telemetryEvents: counter(() => undefined),
      telemetryRefused: counter((subject) => refused.push(subject)),
    },
    errors: { report: () => undefined, for: () => () => undefined },
    background: { run: (_key: string, work: () => Promise<unknown>) => tasks.push(work()) },
    recentKeys: {
      isClaimed: (key: string) => claimed.has(key),
      claimOnce: async (key: string) => !claimed.has(key) && claimed.add(key).size > 0,
    },
    db: {
      query: async () => {
        if (isDatabaseDown) throw new Error('down')
        return []
      },
    },
  }
  return {
    deps: deps as never,
    events,
    claimed,
    refused,
    breakDatabase: () => {
      isDatabaseDown = true
    },
    done: () => Promise.all(tasks),
  }
}

function guest(over: { telemetry?: boolean; declines?: boolean } = {}): TelemetryActor {
  const { telemetry = true, declines = false } = over
  return {
    session: {
      id: newId('tnt_session'),
      data: { consentFlags: { telemetry }, marketingAttribution: { source: 'google' } },
    },
    client: { declinesTelemetry: declines },
    cause: () => ({
      producerInstance: 'test',
      tenantId,
      requestId: newId('req'),
      traceparent: renderTraceparent(newTrace()),
      occurredAt: new Date(),
    }),
  }
}

const changed = (actor: TelemetryActor) => ({
  ...actor,
  payload: (changedAt: string) => ({
    tenantId,
    sessionId: actor.session.id,
    from: 'ps-AF' as const,
    to: 'en' as const,
    isRtlChange: true,
    changedAt,
  }),
})

describe('operational telemetry', () => {
  it('is published with the session and the campaign in its envelope', () => {
    const { deps, events } = fixture()
    const actor = guest()
    report(deps, localeChanged, changed(actor))
    expect(events).toMatchObject([
      {
        orderingKey: actor.session.id,
        envelope: { sessionId: actor.session.id, marketingAttribution: { source: 'google' } },
      },
    ])
  })

  it.each([
    ['without consent', { telemetry: false }],
    ['under DNT or GPC', { declines: true }],
  ])('is not published %s', (_why, over) => {
    const { deps, events } = fixture()
    report(deps, localeChanged, changed(guest(over)))
    expect(events).toEqual([])
  })

  it('T14 follows the sample rates of the flags, all or nothing per session', () => {
    const step = (actor: TelemetryActor) => ({
      ...actor,
      payload: (completedAt: string) => ({
        tenantId,
        draftId: null,
        sessionId: actor.session.id,
        fromState: 'quoting',
        toState: 'holding',
        stepLatencyMs: 1,
        completedAt,
      }),
    })
    const guests = Array.from({ length: 400 }, () => guest())
    const published = (rates: Record<string, number>) => {
      const { deps, events } = fixture(rates)
      for (const actor of [...guests, ...guests]) report(deps, flowStepCompleted, step(actor))
      return events
    }
    const sampled = published({})
    expect(sampled.length / 800).toBeGreaterThan(0.15)
    expect(sampled.length / 800).toBeLessThan(0.35)
    expect(sampled.length % 2).toBe(0)
    expect(sampled[0]?.envelope.samplingRate).toBe(0.25)
    expect(published({ [flowStepCompleted.subject]: 1 })).toHaveLength(800)
    expect(published({ [flowStepCompleted.subject]: 0 })).toEqual([])
  })

  it('drops and counts an event that violates its schema', () => {
    const { deps, events, refused } = fixture()
    const details = changed(guest())
    report(deps, localeChanged, {
      ...details,
      payload: (at) => ({ ...details.payload(at), to: 'xx' as never }),
    })
    expect([events, refused]).toEqual([[], [localeChanged.subject]])
  })

  it('is debounced by key, and claims nothing without consent', async () => {
    const { deps, events, claimed, done } = fixture()
    const served = (actor: TelemetryActor) => ({
      ...actor,
      key: actor.session.id,
      payload: () => ({
        tenantId,
        tenantSlug: 'gulistan-hotel',
        sessionId: actor.session.id,
        locale: 'en' as const,
        currency: 'AFN' as const,
        themeVersion: '3',
        tenantConfigVersion: '1',
        fanoutLatencyMs: { tenant: 4, theme: null, policies: 9 },
        cache: 'MISS' as const,
        handoffArrivalId: null,
      }),
    })
    reportOnce(deps, bootstrapServed, served(guest({ telemetry: false })))
    await done()
    expect(claimed.size).toBe(0)
    const actor = guest()
    reportOnce(deps, bootstrapServed, served(actor))
    reportOnce(deps, bootstrapServed, served(actor))
    reportOnce(deps, bootstrapServed, served(guest()))
    await done()
    expect(events).toHaveLength(2)
  })
})

describe('a record', () => {
  it('is written without consent, once per key, and waits while Postgres is down', async () => {
    const { deps, events, breakDatabase, done } = fixture({ [confirmationViewed.subject]: 0 })
    const actor = guest({ telemetry: false, declines: true })
    const reservationId = newId('rsv')
    const viewed = {
      ...actor,
      key: `${reservationId} ${actor.session.id}`,
      payload: (viewedAt: string) => ({
        tenantId,
        reservationId,
        sessionId: actor.session.id,
        viewedAt,
        elapsedFromConfirmMs: 5,
        deviceClass: 'browser-mobile' as const,
        locale: 'ps-AF' as const,
        cache: 'HIT' as const,
      }),
    }
    breakDatabase()
    recordOnce(deps, confirmationViewed, viewed)
    recordOnce(deps, confirmationViewed, viewed)
    await done()
    expect(events).toMatchObject([{ subject: confirmationViewed.subject }])
  })
})
