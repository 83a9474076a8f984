import { createDatabase } from '@melmastoon/chassis/db'
import { newId, parseIsoDate, type TenantId } from '@melmastoon/domain'
import { barrier } from '@melmastoon/testkit'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tenantCall } from '../../src/control-room/operator-call.ts'
import { createTenantModule } from '../../src/modules/tenant/module.ts'
import { seedOperators } from '../../src/modules/tenant/seed-operators.ts'
import { seedTenant } from '../../src/modules/tenant/seed-tenant.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import { OPERATOR_NAMES, operatorIdOf } from '../../src/world/operators.ts'
import { wrapDatabase } from '../payment/wrap-database.ts'
import {
  clientFor,
  drainEvents,
  type RunningSandbox,
  rejectionOf,
  sandboxEnvironment,
  startSandbox,
  type TestClient,
  type TestEnvironment,
} from '../start-sandbox.ts'

const world = generateWorld({
  seed: 'operators',
  anchorDate: parseIsoDate('2026-11-16'),
  properties: 0,
})
const [hotel, otherHotel] = world.tenants
const tenantId = hotel?.tenantId ?? newId('tnt')
const slug = hotel?.slug ?? ''
const own = () => ({ tenantId, idempotencyKey: newId('req') })

const causeFor = (of: TenantId | null) => ({
  producerInstance: 'test',
  tenantId: of,
  requestId: newId('req'),
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  occurredAt: new Date(),
})

let environment: TestEnvironment
let sandbox: RunningSandbox
let tenant: TestClient<typeof tenantContract.operations>

beforeAll(async () => {
  environment = await sandboxEnvironment()
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 2,
    onError: () => undefined,
  })
  await seedTenant(db, world)
  await seedOperators(db, world)
  sandbox = await startSandbox(environment)
  tenant = clientFor(tenantContract, sandbox.url)
})
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

const operatorId = operatorIdOf(world.seed, slug, 'desk')
const params = { operatorId }
const actor = { operatorId: operatorIdOf(world.seed, slug, 'manager'), deviceId: newId('dev') }
const NOT_FOUND = 'MELMASTOON.TENANT.OPERATOR_NOT_FOUND'
const CONFLICT = 'MELMASTOON.TENANT.VERSION_CONFLICT'

describe('operators', () => {
  it('of the demo world have six posts per detailed hotel', async () => {
    const { operators } = await tenant.listOperators({ query: {} }, { tenantId })
    expect(operators).toHaveLength(OPERATOR_NAMES.length)
    expect(new Set(operators.flatMap(({ roles }) => roles)).size).toBe(5)
    expect(operators.filter(({ properties }) => properties === '*')).toHaveLength(1)
    const desk = operators.find((each) => each.operatorId === operatorId)
    expect(desk).toMatchObject({ roles: ['front_desk'], status: 'active', version: 1 })
    expect(desk?.chargeLimit?.currency).toBe(hotel?.primaryCurrency)
  })

  it('are listed by id, without those of other tenants', async () => {
    const foreign = operatorIdOf(world.seed, otherHotel?.slug ?? '', 'desk')
    const ids = [operatorId, foreign, newId('opr')].join(',')
    const { operators } = await tenant.listOperators({ query: { ids } }, { tenantId })
    expect(operators.map((each) => each.operatorId)).toEqual([operatorId])
  })

  it('of another tenant are not found', async () => {
    const foreign = { tenantId: otherHotel?.tenantId ?? newId('tnt') }
    expect(await rejectionOf(tenant.getOperator({ params }, foreign))).toBe(NOT_FOUND)
    const body = { roles: ['owner' as const], actor }
    const set = tenant.setOperatorRole({ params, body }, { ...own(), ...foreign })
    expect(await rejectionOf(set)).toBe(NOT_FOUND)
  })

  it('change their role once for each version, with an event without the role', async () => {
    const causationId = newId('req')
    const change = () =>
      tenant.setOperatorRole(
        {
          params,
          body: { roles: ['housekeeping'], isLead: true, expectedVersion: 1, actor, causationId },
        },
        own(),
      )
    const results = await Promise.allSettled(Array.from({ length: 10 }, change))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await tenant.getOperator({ params }, { tenantId })).toMatchObject({
      roles: ['housekeeping'],
      isLead: true,
      version: 2,
    })
    expect(await rejectionOf(change())).toBe(CONFLICT)
    const events = await drainEvents(environment, '%operator.role_changed.v1')
    expect(events.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ tenantId, operatorId, version: 2, status: 'active', causationId }),
    ])
    expect(JSON.stringify(events)).not.toContain('housekeeping')
  })

  it('control: without the lock of the row two changes of one version succeed', async () => {
    const { ctx } = sandbox
    const both = barrier(2)
    const db = wrapDatabase(ctx.db, {
      edit: (text) => text.replace('for update', ''),
      before: async (text) => {
        if (text.includes('update sandbox.tenant_operator')) await both.arrive()
      },
    })
    const { handlers } = createTenantModule({ ...ctx, db })
    const { version } = await tenant.getOperator({ params }, { tenantId })
    const change = (isLead: boolean) => {
      const body = { roles: ['front_desk' as const], isLead, expectedVersion: version, actor }
      return handlers.setOperatorRole({ params, body }, tenantCall({ causeFor }, tenantId))
    }
    const changed = await Promise.all([change(true), change(false)])
    expect(new Set(changed.map((each) => each.version))).toEqual(
      new Set([version + 1, version + 2]),
    )
  })

  it('do not change, and cause no event, when nothing is different', async () => {
    const before = await tenant.getOperator({ params }, { tenantId })
    const { roles } = before
    expect(await tenant.setOperatorRole({ params, body: { roles, actor } }, own())).toEqual(before)
  })
})

describe('preferences', () => {
  const query = { propertyId: newId('ppt') }
  const put = (payload: Record<string, unknown>, expectedVersion: number, causationId?: string) =>
    tenant.putOperatorPreferences(
      {
        params,
        query,
        body: { payload, expectedVersion, actor, ...(causationId && { causationId }) },
      },
      own(),
    )

  it('are empty at first, and per property', async () => {
    expect(await tenant.getOperatorPreferences({ params, query }, { tenantId })).toEqual({
      payload: {},
      version: 0,
      history: [],
    })
  })

  it('are replaced once for each version, and keep the cause of every version', async () => {
    const cause = newId('int')
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => put({ index }, 0, cause)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const second = await put({ board: 'arrivals' }, 1)
    expect(second).toMatchObject({ payload: { board: 'arrivals' }, version: 2 })
    expect(second.history).toEqual([
      expect.objectContaining({ version: 1, status: 'saved', causationId: cause }),
      expect.objectContaining({ version: 2, status: 'saved', operatorId: actor.operatorId }),
    ])
    expect(await rejectionOf(put({}, 1))).toBe(CONFLICT)
  })

  it('of an unknown operator are not found', async () => {
    const unknown = { operatorId: newId('opr') }
    const read = tenant.getOperatorPreferences({ params: unknown, query }, { tenantId })
    expect(await rejectionOf(read)).toBe(NOT_FOUND)
  })
})
