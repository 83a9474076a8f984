import { createDeadline } from '@melmastoon/chassis/clock'
import { newId } from '@melmastoon/domain'
import type { Alert } from '@melmastoon/upstream-contracts/notification'
import { describe, expect, it } from 'vitest'
import { alertsTag } from '../../src/alerts/alert-inbox.ts'
import { type Staff, shared, signIn } from './inbox-fixture.ts'

async function raise(audience: Alert['audience']): Promise<Alert> {
  const { ctx } = shared.running.service
  const { propertyId } = shared
  using deadline = createDeadline(5_000)
  const body = {
    propertyId,
    category: 'balance_due' as const,
    severity: 'warning' as const,
    title: { key: 'alerts.balance_due', params: {} },
    audience,
    resourceKind: 'property' as const,
    resourceId: propertyId,
  }
  const call = { tenantId: shared.desk.tenantId, deadline, idempotencyKey: newId('req') }
  const alert = await ctx.upstreams.notification.raise({ body }, call)
  await ctx.cache.invalidate([alertsTag(propertyId)])
  return alert
}

async function find(staff: Staff, { alertId }: Alert, more = ''): Promise<Alert | undefined> {
  const { body } = await staff.get(`/alerts?propertyId=${shared.propertyId}&limit=500${more}`)
  return (body['rows'] as Alert[]).find((row) => row.alertId === alertId)
}

const acknowledge = (staff: Staff, { alertId }: Alert, json: object = {}, key?: string) =>
  staff.post(`/alerts/${alertId}/acknowledge`, json, key)

const log = ({ alertId }: Alert) =>
  shared.running.environment.query(
    `select acknowledged_by, notes_truncated, category
     from ${shared.running.environment.schema}.alert_ack_log where alert_id = $1
     order by acknowledged_at`,
    [alertId],
  )

describe('alerts', () => {
  it('B5 are shown to their audience and to managers', async () => {
    const alert = await raise(['housekeeping'])
    const housekeeper = await signIn(shared.running, 'housekeeper')
    expect(await find(housekeeper, alert)).toMatchObject({ state: 'open', category: 'balance_due' })
    expect(await find(shared.manager, alert)).toBeDefined()
    expect(await find(shared.desk, alert)).toBeUndefined()
    expect((await acknowledge(shared.desk, alert)).status).toBe(403)
    expect(await log(alert)).toEqual([])
  })

  it('B5 are acknowledged once per operator', async () => {
    const alert = await raise(['front_desk'])
    const key = newId('req')
    const first = await acknowledge(shared.desk, alert, { note: 'y'.repeat(250) }, key)
    expect(first.status).toBe(200)
    const again = await acknowledge(shared.desk, alert)
    expect([again.status, again.body['acknowledgedAt']]).toEqual([
      200,
      first.body['acknowledgedAt'],
    ])
    expect(await find(shared.desk, alert, '&state=open')).toBeUndefined()
    expect(await find(shared.desk, alert)).toMatchObject({ state: 'acknowledged' })
    expect(await find(shared.manager, alert, '&state=open')).toMatchObject({ state: 'open' })
    expect((await acknowledge(shared.manager, alert)).status).toBe(200)
    expect(await log(alert)).toEqual([
      {
        acknowledged_by: shared.desk.device.tokens.operatorId,
        notes_truncated: 'y'.repeat(200),
        category: 'balance_due',
      },
      {
        acknowledged_by: shared.manager.device.tokens.operatorId,
        notes_truncated: null,
        category: 'balance_due',
      },
    ])
  })

  it('B5 are acknowledged once, also by simultaneous requests of one operator', async () => {
    const alert = await raise(['front_desk'])
    const sent = await Promise.all([1, 2, 3, 4].map(() => acknowledge(shared.desk, alert)))
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await log(alert)).toHaveLength(1)
    const { schema } = shared.running.environment
    const events = await shared.running.environment.query(
      `select 1 from ${schema}.outbox where payload ->> 'alertId' = $1
       union all select 1 from ${schema}.outbox_published where payload ->> 'alertId' = $1`,
      [alert.alertId],
    )
    expect(events).toHaveLength(1)
  })

  it('D18 of another tenant are not found, like unknown ones', async () => {
    const alert = await raise(['front_desk'])
    const foreign = await signIn(shared.running, 'owner', 'margalla-view')
    const found = await acknowledge(foreign, alert)
    const unknown = await acknowledge(foreign, { ...alert, alertId: newId('alt') })
    expect([found.status, found.body['code']]).toEqual([
      404,
      'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
    ])
    expect([unknown.status, unknown.body['code']]).toEqual([found.status, found.body['code']])
    const { status } = await foreign.get(`/alerts?propertyId=${shared.propertyId}`)
    expect(status).toBe(404)
    const { status: outOfScope } = await shared.desk.get(`/alerts?propertyId=${newId('ppt')}`)
    expect(outOfScope).toBe(404)
  })
})
