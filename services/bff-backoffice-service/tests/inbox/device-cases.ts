import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import type { Alert } from '@melmastoon/upstream-contracts/notification'
import { describe, expect, it } from 'vitest'
import { alertsTag } from '../../src/alerts/alert-inbox.ts'
import { sweepDevices } from '../../src/devices/sweep-devices.ts'
import { type Staff, shared, signIn } from './inbox-fixture.ts'

interface Fleet {
  readonly deviceId: string
  readonly status: string
  readonly pendingHints: unknown
}

const beat = (staff: Staff, more: object = {}, deviceId: string = staff.device.tokens.deviceId) =>
  staff.post(`/devices/${deviceId}/heartbeat`, {
    propertyId: shared.propertyId,
    appVersion: '2.1.0',
    appPlatform: 'linux',
    ...more,
  })

async function fleetRow({ device }: Staff): Promise<Fleet | undefined> {
  const { body } = await shared.manager.get(`/devices?propertyId=${shared.propertyId}`)
  return (body['rows'] as Fleet[]).find(({ deviceId }) => deviceId === device.tokens.deviceId)
}

const sql = (text: string, { device }: Staff) =>
  shared.running.environment.query(text.replaceAll('$schema', shared.running.environment.schema), [
    device.tokens.deviceId,
  ])

const sweep = () => sweepDevices(shared.running.service.ctx, new AbortController().signal)
const silence = (staff: Staff) =>
  sql(
    `update $schema.device_sync_status set last_heartbeat_at = now() - interval '6 minutes'
     where device_id = $1`,
    staff,
  )

async function alertsAbout({ device }: Staff): Promise<string[]> {
  const { ctx } = shared.running.service
  await ctx.cache.invalidate([alertsTag(shared.propertyId)])
  const { body } = await shared.manager.get(`/alerts?propertyId=${shared.propertyId}&limit=500`)
  const rows = body['rows'] as Alert[]
  return rows
    .filter(({ resourceId }) => resourceId === device.tokens.deviceId)
    .map(({ title }) => title.key)
    .toSorted()
}

const eventsAbout = async (staff: Staff) => {
  const select = (table: string) =>
    `select payload ->> 'status' as status, occurred_at from $schema.${table}
     where payload ->> 'deviceId' = $1 and subject like '%device.status_changed%'`
  const rows = await sql(
    `${select('outbox')} union all ${select('outbox_published')} order by occurred_at`,
    staff,
  )
  return rows.map(({ status }) => status)
}

/** As the metric says. */
async function offlineCount(): Promise<number> {
  const text = await shared.running.service.ctx.metrics.render()
  const found = /^bff_backoffice_device_status_count\{status="offline"\} (\d+)$/m.exec(text)
  return Number(found?.[1] ?? Number.NaN)
}

describe('devices', () => {
  it('B7 report for themselves only, and managers see them', async () => {
    const staff = await signIn(shared.running, 'desk')
    expect(await fleetRow(staff)).toMatchObject({ status: 'never_seen' })
    const { status, body } = await beat(staff, { networkProfile: 'flaky' })
    expect([status, body['pendingHints'], body['cursorVersion']]).toEqual([200, [], 0])
    expect(Math.abs(Date.parse(String(body['serverTime'])) - Date.now())).toBeLessThan(60_000)
    expect(await fleetRow(staff)).toMatchObject({ status: 'online', networkProfile: 'flaky' })
    const { deviceId } = shared.manager.device.tokens
    expect((await beat(staff, {}, deviceId)).status).toBe(404)
    expect((await beat(staff, { propertyId: newId('ppt') })).status).toBe(404)
    expect((await staff.get(`/devices?propertyId=${shared.propertyId}`)).status).toBe(403)
  })

  it('B10 report what waits on them', async () => {
    const staff = await signIn(shared.running, 'housekeeper')
    const actions = [{ name: 'task.complete', count: 3, oldestAt: '2026-11-16T05:00:00.000Z' }]
    const { status, body } = await staff.post('/offline-actions/hints', {
      appVersion: '2.1.0',
      actions,
    })
    expect([status, String(body['hintId']).slice(0, 4)]).toEqual([201, 'oaq_'])
    expect(await fleetRow(staff)).toMatchObject({ pendingHints: actions })
    expect((await beat(staff)).body['pendingHints']).toEqual(actions)
    await staff.post('/offline-actions/hints', { appVersion: '2.1.0', actions: [] })
    expect((await beat(staff)).body['pendingHints']).toEqual([])
    const kept = await sql(
      'select payload from $schema.offline_action_queue_hints where device_id = $1',
      staff,
    )
    expect(kept).toHaveLength(2)
  })

  it('B7 go offline after five minutes and come back, with one alert and event each', async () => {
    const staff = await signIn(shared.running, 'technician')
    await beat(staff)
    const { lastEventId } = (await shared.manager.get('/sse/poll')).body
    expect((await sweep()).changed).toBe(0)
    await silence(staff)
    expect(await fleetRow(staff)).toMatchObject({ status: 'offline' })
    const before = await offlineCount()
    expect(await sweep()).toEqual({ changed: 1, postponed: 0 })
    expect(await offlineCount()).toBe(before + 1)
    expect(await sweep()).toEqual({ changed: 0, postponed: 0 })
    expect(await alertsAbout(staff)).toEqual(['alerts.device_offline'])
    await beat(staff)
    await eventually(async () => expect(await eventsAbout(staff)).toEqual(['offline', 'online']))
    expect(await sweep()).toEqual({ changed: 0, postponed: 0 })
    expect(await alertsAbout(staff)).toEqual(['alerts.device_offline', 'alerts.device_online'])
    const { deviceId } = staff.device.tokens
    await eventually(async () => {
      const { body } = await shared.manager.get(`/sse/poll?after=${String(lastEventId)}`)
      const events = body['events'] as { event: string; data: Record<string, unknown> }[]
      const shown = events.filter(({ event, data }) => event === 'devices' && 'status' in data)
      expect(shown.map(({ data }) => [data['deviceId'], data['status']])).toEqual([
        [deviceId, 'offline'],
        [deviceId, 'online'],
      ])
    })
  })

  it('B7 keep their status while no alert can be raised, and are found again', async () => {
    const staff = await signIn(shared.running, 'desk')
    await beat(staff)
    await silence(staff)
    const { ctx } = shared.running.service
    const down = { notification: { raise: () => Promise.reject(new Error('down')) } }
    const { signal } = new AbortController()
    const failed = await sweepDevices({ ...ctx, upstreams: down }, signal)
    expect(failed).toEqual({ changed: 0, postponed: 1 })
    expect(await eventsAbout(staff)).toEqual([])
    const results = await Promise.all([sweep(), sweep(), sweep()])
    expect(results.reduce((sum, { changed }) => sum + changed, 0)).toBe(1)
    expect(await alertsAbout(staff)).toEqual(['alerts.device_offline'])
    expect(await eventsAbout(staff)).toEqual(['offline'])
  })
})
