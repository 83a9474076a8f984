import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { newId, type PropertyId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import type { Operator } from '@melmastoon/upstream-contracts/tenant'
import { afterEach, describe, expect, it } from 'vitest'
import type { Operator as Acting } from '../../src/access/operator.ts'
import { type IntentDevice, intentDevice, type TestIntent, verdictOf } from './intent-device.ts'
import { chargeOf, nextTask, query, rowsOf, shared, start } from './intent-fixture.ts'
import { operatorOf, submitUnguarded } from './submit-unguarded.ts'

type Rights = Partial<Pick<Operator, 'roles' | 'properties' | 'status'>>

/** By the tenant service, while the device is offline. */
async function changeRights({ tokens }: IntentDevice, rights: Rights): Promise<void> {
  const { tenant } = shared.office.service.ctx.upstreams
  const { tenantId, operatorId, deviceId } = tokens
  using deadline = createDeadline(5_000)
  const call = { tenantId, deadline, trace: newTrace(), idempotencyKey: newId('req') }
  const { roles } = await tenant.getOperator({ params: { operatorId } }, call)
  const body = { roles, ...rights, actor: { operatorId, deviceId } }
  await tenant.setOperatorRole({ params: { operatorId }, body }, call)
}

const rowsOfDevice = ({ tokens }: IntentDevice) =>
  query<{ verdict: string }>(
    'select verdict from $schema.offline_intent_verdict where device_id = $1',
    [tokens.deviceId],
  )

/** Recorded while the operator had every right that it needs. */
async function reportOf(device: IntentDevice) {
  const [room] = await rowsOf('housekeeping')
  const args = { category: 'electrical', severity: 'low', title: 'Broken lamp' }
  return device.intent('room.report_issue', String(room?.['id']), { args })
}

/** How many work orders the maintenance service has because of an intent. */
async function ordersOf({ intentId }: TestIntent): Promise<number> {
  const { environment } = shared.office.sandbox
  const rows = await environment.query(
    `select 1 from ${environment.schema}.maintenance_work_order where causation_id like $1`,
    [`${intentId}%`],
  )
  return rows.length
}

describe('STAFF-INT-11 rights that were lost while the device was offline', () => {
  const restored: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const restore of restored.splice(0)) await restore()
  })

  /** A device whose operator has other rights when it returns. */
  async function deviceOf(username: string, roles: Operator['roles']) {
    const device = await intentDevice(shared.office, username)
    const properties = [shared.propertyId as PropertyId]
    restored.push(() => changeRights(device, { roles, properties, status: 'active' }))
    return device
  }

  it('the property: rejected as unknown, without an effect', async () => {
    const device = await deviceOf('technician', ['maintenance'])
    const intent = await reportOf(device)
    await changeRights(device, { properties: [] })
    await eventually(async () =>
      expect((await device.read('/session')).body['properties']).toEqual([]),
    )
    expect(await device.submit([intent])).toMatchObject([
      { verdict: 'rejected', code: 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND', next: 'drop' },
    ])
    expect(await ordersOf(intent)).toBe(0)
    // The control: with the scope of the time when it was recorded it has an effect.
    const again = await reportOf(device)
    const properties = new Set([shared.propertyId as PropertyId])
    const operator = { ...operatorOf(device), properties }
    const unguarded = await submitUnguarded(device, [again], { operator })
    expect(unguarded.map(verdictOf)).toEqual(['applied'])
    expect(await ordersOf(again)).toBe(1)
  })

  it('the role: rejected, and a lead is to be asked', async () => {
    const device = await deviceOf('housekeeper', ['housekeeping'])
    const task = await nextTask()
    const intent = start(task, device)
    await changeRights(device, { roles: ['maintenance'] })
    await eventually(async () => {
      await device.refresh()
      expect((await device.read('/session')).body['roles']).toEqual(['maintenance'])
    })
    expect(await device.submit([intent])).toMatchObject([
      {
        verdict: 'rejected',
        code: 'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN',
        next: 'ask_lead',
      },
    ])
    // The control: with the role of the time when it was recorded it has an effect.
    const operator: Acting = { ...operatorOf(device), roles: ['housekeeping'], isLead: false }
    const unguarded = await submitUnguarded(device, [start(task, device)], { operator })
    expect(unguarded.map(verdictOf)).toEqual(['applied'])
  })

  it('the session: no verdict', async () => {
    const leaving = await intentDevice(shared.office, 'housekeeping-lead')
    await leaving.post('/auth/sign-out', {})
    const task = await nextTask()
    await expect(leaving.submit([start(task, leaving)])).rejects.toThrow('401')
    expect(await rowsOfDevice(leaving)).toEqual([])
    // The control: with a session, the same operator gets one.
    const staying = await intentDevice(shared.office, 'housekeeping-lead')
    expect((await staying.submit([start(task, staying)])).map(verdictOf)).toEqual(['applied'])
    expect(await rowsOfDevice(staying)).toEqual([{ verdict: 'applied' }])
  })

  it('the account: no verdict', async () => {
    const device = await deviceOf('technician', ['maintenance'])
    const intent = await reportOf(device)
    await changeRights(device, { status: 'disabled' })
    await eventually(async () => expect((await device.read('/session')).status).toBe(401))
    await expect(device.submit([intent])).rejects.toThrow('401')
    expect(await rowsOfDevice(device)).toEqual([])
  })
})

describe('rights', () => {
  it('do not repeat the verdict on a resource that is out of scope now', async () => {
    const { lead } = shared
    const intent = start(await nextTask())
    expect((await lead.submit([intent])).map(verdictOf)).toEqual(['applied'])
    const operator = { ...operatorOf(lead), properties: new Set<PropertyId>() }
    expect(await submitUnguarded(lead, [intent], { operator })).toMatchObject([
      { verdict: 'rejected', code: 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND', next: 'drop' },
    ])
    expect(await submitUnguarded(lead, [intent])).toMatchObject([
      { verdict: 'applied', replayed: true },
    ])
  })

  it('that need a second factor need a connection', async () => {
    const { desk } = shared
    expect(await desk.submit([chargeOf(desk, 900_000_000)])).toMatchObject([
      { code: 'MELMASTOON.SECURITY.STEP_UP_REQUIRED', next: 'retry_online' },
    ])
  })
})
