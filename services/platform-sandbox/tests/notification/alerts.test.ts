import { newId } from '@melmastoon/domain'
import { expectValidEvents } from '@melmastoon/testkit'
import { notificationContract } from '@melmastoon/upstream-contracts/notification'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Inbox, newActor, serveInbox } from '../inbox/serve-inbox.ts'
import { contracts, rejectionOf } from '../start-sandbox.ts'

describe('alerts', () => {
  let inbox: Inbox

  beforeAll(async () => {
    inbox = await serveInbox()
  })
  afterAll(() => inbox[Symbol.asyncDispose]())

  const alerts = () => inbox.client(notificationContract)
  const own = () => ({ tenantId: inbox.hotel.tenantId, idempotencyKey: newId('req') })
  const params = () => ({ propertyId: inbox.hotel.propertyId })

  function content(deduplicationKey?: string) {
    const { propertyId } = inbox.hotel
    return {
      propertyId,
      category: 'room_not_ready' as const,
      severity: 'warning' as const,
      title: { key: 'alerts.room_not_ready', params: { minutes: 20 } },
      audience: ['housekeeping' as const],
      resourceKind: 'property' as const,
      resourceId: propertyId,
      ...(deduplicationKey !== undefined && { deduplicationKey }),
    }
  }

  const raise = (key?: string) => alerts().raise({ body: content(key) }, own())

  it('of the demo hotels exist, newest first, and are paged', async () => {
    const { alerts: all } = await alerts().listAlerts({ params: params(), query: {} }, own())
    expect(all.length).toBeGreaterThanOrEqual(2)
    const times = all.map(({ raisedAt }) => raisedAt)
    expect(times).toEqual(times.toSorted().toReversed())
    const pages: string[] = []
    let cursor: string | undefined
    do {
      const query = { limit: 1, ...(cursor !== undefined && { cursor }) }
      const page = await alerts().listAlerts({ params: params(), query }, own())
      pages.push(...page.alerts.map(({ alertId }) => alertId))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(pages).toEqual(all.map(({ alertId }) => alertId))
  })

  it('with the same key are raised once, also concurrently, until acknowledged', async () => {
    const key = newId('req')
    const raised = await Promise.all(Array.from({ length: 8 }, () => raise(key)))
    expect(new Set(raised.map(({ alertId }) => alertId)).size).toBe(1)
    const [first] = raised
    if (first === undefined) throw new TypeError('nothing was raised')
    const { alertId } = first
    await alerts().acknowledge({ params: { alertId }, body: { actor: newActor() } }, own())
    expect((await raise(key)).alertId).not.toBe(alertId)
    // Without a key every call raises one.
    expect((await raise()).alertId).not.toBe((await raise()).alertId)
  })

  it('are acknowledged by each operator once', async () => {
    const { alertId } = await raise()
    const [first, second] = [newActor(), newActor()]
    const acknowledge = (actor: typeof first, more: object = {}) =>
      alerts().acknowledge({ params: { alertId }, body: { actor, ...more } }, own())
    const causationId = newId('int')
    const once = await acknowledge(first, { note: 'seen', causationId, expectedVersion: 1 })
    expect(once).toMatchObject({ state: 'acknowledged', version: 2 })
    expect(await acknowledge(first, { expectedVersion: 1 })).toEqual(once)
    const twice = await acknowledge(second)
    expect(twice.acknowledgedBy.map(({ operatorId }) => operatorId)).toEqual([
      first.operatorId,
      second.operatorId,
    ])
    expect(twice.history.map(({ version, causationId: cause }) => [version, cause])).toEqual([
      [1, undefined],
      [2, causationId],
      [3, undefined],
    ])
    expect(await alerts().getAlert({ params: { alertId } }, own())).toEqual(twice)
    const stale = acknowledge(newActor(), { expectedVersion: 1 })
    expect(await rejectionOf(stale)).toBe('MELMASTOON.NOTIFICATION.VERSION_CONFLICT')
  })

  it('are open for an operator until they have acknowledged them themselves', async () => {
    const { alertId } = await raise()
    const [first, second] = [newActor(), newActor()]
    await alerts().acknowledge({ params: { alertId }, body: { actor: first } }, own())
    const isListed = async (query: object) => {
      const page = await alerts().listAlerts({ params: params(), query }, own())
      return page.alerts.some((alert) => alert.alertId === alertId)
    }
    expect(await isListed({ state: 'open', operatorId: first.operatorId })).toBe(false)
    expect(await isListed({ state: 'open', operatorId: second.operatorId })).toBe(true)
    expect(await isListed({ state: 'open' })).toBe(false)
    expect(await isListed({ state: 'acknowledged', role: 'housekeeping' })).toBe(true)
    expect(await isListed({ role: 'owner' })).toBe(false)
  })

  it('of another tenant are not found', async () => {
    const { alertId } = await raise()
    const other = { tenantId: inbox.foreign.tenantId, idempotencyKey: newId('req') }
    const unknown = 'MELMASTOON.NOTIFICATION.ALERT_NOT_FOUND'
    expect(await rejectionOf(alerts().getAlert({ params: { alertId } }, other))).toBe(unknown)
    const acknowledged = { params: { alertId }, body: { actor: newActor() } }
    expect(await rejectionOf(alerts().acknowledge(acknowledged, other))).toBe(unknown)
    const listed = alerts().listAlerts({ params: params(), query: {} }, other)
    expect(await rejectionOf(listed)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
    const raised = alerts().raise({ body: content() }, other)
    expect(await rejectionOf(raised)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
  })

  it('publish valid events', async () => {
    const events = await expectValidEvents(inbox.environment.adminUrl, contracts)
    const subjects = new Set(events.map(({ envelope }) => envelope.subject))
    expect(subjects).toEqual(
      new Set([
        'melmastoon.notification.alert.raised.v1',
        'melmastoon.notification.alert.acknowledged.v1',
      ]),
    )
  })
})
