import { idToUuid, newId, type PropertyId } from '@melmastoon/domain'
import type { TestEnvironment, TestService } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operator } from '../../src/access/operator.ts'
import type { BackofficeContext } from '../../src/context.ts'
import { backofficeEnvironment } from '../harness/backoffice-environment.ts'
import { activityOf } from './activity-fixture.ts'
import { operatorOf, startActivityService } from './activity-service.ts'

const tenantId = newId('tnt')
const [north, south] = [newId('ppt'), newId('ppt')]
const operators = new Map<string, Operator>([
  ['desk', operatorOf('front_desk', { tenantId, properties: new Set([north]) })],
  ['manager', operatorOf('general_manager', { tenantId, properties: new Set([north]) })],
  ['owner', operatorOf('owner', { tenantId })],
  ['stranger', operatorOf('owner')],
])
const named = (name: string): Operator => {
  const found = operators.get(name)
  if (found === undefined) throw new TypeError(name)
  return found
}

let environment: TestEnvironment
let service: TestService<BackofficeContext>
beforeAll(async () => {
  environment = await backofficeEnvironment()
  service = await startActivityService(environment, operators)
  for (let at = 0; at < 5; at += 1) {
    await record('desk', north, `desk.${at}`)
    await record('owner', south, `owner.${at}`)
  }
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

function record(name: string, propertyId: PropertyId | null, action: string): Promise<void> {
  const { operatorId, deviceId, sessionId } = named(name)
  const ids = { operatorId, deviceId, sessionId, propertyId }
  return service.ctx.ledger.record(activityOf(tenantId, { ...ids, action }))
}

interface Page {
  readonly rows: readonly { readonly action: string; readonly operatorId: string }[]
  readonly page: { readonly nextCursor: string | null }
}

async function list(name: string, query: Record<string, string> = {}) {
  const path = `/bff/backoffice/v1/activity?${new URLSearchParams(query).toString()}`
  const { status, body } = await service.get(path, { headers: { authorization: name } })
  const { rows = [], page } = body as Partial<Page>
  const cursor = page?.nextCursor ?? null
  return { status, code: body['code'], actions: rows.map(({ action }) => action), cursor }
}

const actionsOf = (name: string) => [4, 3, 2, 1, 0].map((at) => `${name}.${at}`)

describe('GET /activity', () => {
  it('shows operators their own rows, newest first', async () => {
    expect((await list('desk')).actions).toEqual(actionsOf('desk'))
  })

  it('shows managers the rows of their properties, and owners all of the tenant', async () => {
    expect((await list('manager')).actions).toEqual(actionsOf('desk'))
    expect((await list('owner')).actions).toHaveLength(10)
    expect((await list('owner', { propertyId: south })).actions).toEqual(actionsOf('owner'))
  })

  it('D18 knows neither a property out of scope nor another tenant', async () => {
    const [foreign, unknown] = [south, newId('ppt')]
    for (const propertyId of [foreign, unknown]) {
      const { status, code } = await list('manager', { propertyId })
      expect([status, code]).toEqual([404, 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'])
    }
    expect((await list('stranger')).actions).toEqual([])
    expect((await list('stranger', { propertyId: north })).actions).toEqual([])
  })

  it('pages without gaps or repetitions', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: Record<string, string> = cursor === null ? {} : { cursor }
      const page = await list('owner', { limit: '3', ...query })
      seen.push(...page.actions)
      cursor = page.cursor
    } while (cursor !== null)
    expect(seen).toEqual((await list('owner')).actions)
  })

  it('a cursor is valid for its operator only, and unchanged', async () => {
    const { cursor } = await list('owner', { limit: '3' })
    if (cursor === null) throw new TypeError('no second page')
    const changed = cursor.replace(/^\d/, (digit) => String((Number(digit) + 1) % 10))
    for (const [name, given] of [
      ['stranger', cursor],
      ['manager', cursor],
      ['owner', changed],
      ['owner', 'x'],
    ] as const) {
      const { status, code } = await list(name, { cursor: given, limit: '3' })
      expect([status, code]).toEqual([400, 'MELMASTOON.BFF.BACKOFFICE.CURSOR_INVALID'])
    }
  })

  it('returns the rows of a time range', async () => {
    const future = new Date(Date.now() + 60_000).toISOString()
    expect((await list('owner', { from: future })).actions).toEqual([])
    const past = new Date(Date.now() - 3_600_000).toISOString()
    expect((await list('owner', { from: past, to: future })).actions).toHaveLength(10)
  })

  it('shows managers what has no property: their own, and of operators who work there', async () => {
    const from = new Date().toISOString()
    await record('manager', null, 'mfa.step_up')
    await record('manager', south, 'own.elsewhere')
    await record('desk', null, 'desk.rejected')
    const since = async (name: string, query = {}) => (await list(name, { from, ...query })).actions
    expect(await since('manager')).toEqual(['own.elsewhere', 'mfa.step_up'])
    const { deviceId, operatorId } = named('desk')
    const device = [idToUuid(tenantId), deviceId, operatorId, idToUuid(north)]
    await environment.query(
      `insert into ${environment.schema}.device_sync_status
         (tenant_id, device_id, operator_id, property_id) values ($1, $2, $3, $4)`,
      device,
    )
    expect(await since('manager')).toEqual(['desk.rejected', 'own.elsewhere', 'mfa.step_up'])
    expect(await since('manager', { propertyId: north })).toEqual(['desk.rejected'])
    expect(await since('owner', { propertyId: south })).toEqual(['own.elsewhere'])
    // The control: others see their own rows only.
    expect(await since('desk')).toEqual(['desk.rejected'])
    expect(await since('stranger')).toEqual([])
  })
})
