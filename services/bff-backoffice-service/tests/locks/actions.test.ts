import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crashAt, expectOneEffect, unrecorded } from './crash.ts'
import { act, type Locks, readAction, revoke, startLocks, stepUp } from './lock-fixture.ts'

let locks: Locks
beforeAll(async () => {
  locks = await startLocks()
})
afterAll(() => locks[Symbol.asyncDispose]())

const OPEN = 'MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_OPEN'
const EXISTS = 'MELMASTOON.BFF.BACKOFFICE.KEY_EXISTS'
const REQUIRED = 'MELMASTOON.SECURITY.STEP_UP_REQUIRED'

/** How many responses are stored for repeated requests. */
async function stored(): Promise<number> {
  const [row] = await locks.query<{ readonly responses: number }>(
    `select count(*)::int as responses from ${locks.schema}.idempotency where state = 'completed'`,
  )
  return row?.responses ?? 0
}

describe('a key', () => {
  it('is issued, extended and revoked; every action has an audit and its transitions', async () => {
    const { desk } = locks
    const stay = await locks.nextStay()
    const issued = await act(desk, stay, { change: 'issue-key' })
    expect(issued.status, JSON.stringify(issued.body)).toBe(201)
    expect(issued.body).toMatchObject({ state: 'succeeded', outcome: 'success' })
    expect(issued.body.secret?.pin).toMatch(/^\d{6}$/)
    const { keyId } = issued.body
    const untilMs = Date.parse(issued.body.validUntil ?? '')
    const late = new Date(untilMs + 1_000).toISOString()
    const rejected = await act(desk, stay, {
      change: 'extend-key',
      json: { keyId, validUntil: late },
    })
    expect([rejected.status, rejected.body.code], 'later than 30 minutes after check-out').toEqual([
      422,
      'MELMASTOON.LOCK.WINDOW_INVALID',
    ])
    const validUntil = new Date(untilMs - 3_600_000).toISOString()
    const extended = await act(desk, stay, { change: 'extend-key', json: { keyId, validUntil } })
    expect([extended.status, extended.body.validUntil]).toEqual([201, validUntil])
    const bound = await act(desk, stay, { change: 'rebind-key', json: { keyId } })
    expect([bound.status, bound.body.state]).toEqual([201, 'succeeded'])
    const revoked = await revoke(desk, stay, { keyId })
    expect([revoked.status, revoked.body.state]).toEqual([201, 'succeeded'])
    expect(await locks.keysOf(stay)).toMatchObject([{ keyId, state: 'revoked' }])
    for (const { body } of [issued, extended, bound, revoked]) {
      const row = await locks.audit(body.actionId)
      expect(row).toMatchObject({ outcome: 'success', error_code: null })
      expect(row.upstream_latency_ms).toBeGreaterThan(0)
      expect(row.operator_id).toBe(desk.tokens.operatorId)
      const { transitions = [] } = await readAction(desk, body.actionId)
      const applied = transitions.filter(({ applied }) => applied).map(({ state }) => state)
      expect([applied.at(0), applied.at(-1)]).toEqual(['requested', 'succeeded'])
    }
    const metrics = await locks.ctx.metrics.render()
    expect(metrics).toMatch(
      /bff_backoffice_lock_action_total\{outcome="success",vendor="generic-wiegand"\} [4-9]/,
    )
  })

  it('has a PIN that is in its response only, and again in that of the same request', async () => {
    const stay = await locks.nextStay()
    const key = newId('req')
    const before = await stored()
    const issued = await act(locks.desk, stay, { change: 'issue-key', key })
    const again = await act(locks.desk, stay, { change: 'issue-key', key })
    const pin = issued.body.secret?.pin ?? ''
    expect(again).toEqual({ ...issued, isReplayed: true })
    expect(issued.isReplayed).toBe(false)
    const read = await readAction(locks.desk, issued.body.actionId)
    expect(JSON.stringify(read)).not.toContain(pin)
    const { schema, query } = locks
    const tables = await query<{ readonly name: string }>(
      `select table_name as name from information_schema.tables where table_schema = $1`,
      [schema],
    )
    expect(tables.length).toBeGreaterThan(10)
    for (const { name } of tables) {
      const rows = await query(`select 1 from ${schema}.${name} t where t::text like $1 limit 1`, [
        `%"${pin}"%`,
      ])
      expect(rows, name).toEqual([])
    }
    expect(await stored(), 'responses with a secret are not stored, not even encrypted').toBe(
      before,
    )
  })

  it('is refused by the vendor: 422 and a failure in the audit, also when repeated', async () => {
    const stay = await locks.nextStay()
    const { tenantId } = locks.place
    const once = { scenario: 'slots-full', times: 1 } as const
    await locks.controls.setScenario({ tenantId, reservationId: stay.reservationId }, once)
    const key = newId('req')
    const refused = await act(locks.desk, stay, { change: 'issue-key', key })
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'MELMASTOON.LOCK.VENDOR_REFUSED', errors: [{ code: 'slots_full' }] },
    })
    const again = await act(locks.desk, stay, { change: 'issue-key', key })
    expect([again.status, again.body.code]).toEqual([422, 'MELMASTOON.LOCK.VENDOR_REFUSED'])
    const rows = await locks.query<{ readonly outcome: string; readonly error_code: string }>(
      `select outcome, error_code from ${locks.schema}.lock_action_proxy_audit
       where reservation_id = $1`,
      [stay.reservationId],
    )
    expect(rows).toEqual([{ outcome: 'failure', error_code: 'MELMASTOON.LOCK.VENDOR_REFUSED' }])
  })

  it('is only for rooms, reservations and properties within reach', async () => {
    const { desk } = locks
    const stay = await locks.nextStay()
    const other = { ...stay, reservationId: newId('rsv') }
    expect((await act(desk, other, { change: 'issue-key' })).status).toBe(404)
    const foreign = await act(desk, stay, {
      change: 'issue-key',
      json: { roomIds: [newId('rmu')] },
    })
    expect(foreign.body.code).toBe('MELMASTOON.RESERVATION.ROOM_NOT_AVAILABLE')
    const unknown = await act(desk, stay, { change: 'extend-key', json: { keyId: newId('key') } })
    expect(unknown.status).toBe(404)
    const issued = await act(desk, stay, { change: 'issue-key' })
    const { keyId } = issued.body
    const elsewhere = await act(desk, await locks.nextStay(), {
      change: 'extend-key',
      json: { keyId },
    })
    expect(elsewhere.status).toBe(404)
    const housekeeper = await locks.signIn('housekeeper')
    const forbidden = await act(housekeeper, stay, { change: 'issue-key' })
    expect(forbidden.body.code).toBe('MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN')
  })
})

describe('the same key', () => {
  it('STAFF-LOCK-06 a double click and two devices: one key', async () => {
    const [first, second] = [locks.desk, await locks.signIn('manager')]
    const stay = await locks.nextStay()
    const key = newId('req')
    const clicks = await Promise.all([
      act(first, stay, { change: 'issue-key', key }),
      act(first, stay, { change: 'issue-key', key }),
      act(second, stay, { change: 'issue-key' }),
    ])
    const statuses = clicks.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(1)
    expect(new Set(statuses)).toEqual(new Set([201, 409]))
    const late = await act(second, stay, { change: 'issue-key' })
    expect([late.status, late.body.code]).toEqual([409, EXISTS])
    expect(await locks.keysOf(stay)).toHaveLength(1)
    const more = await act(second, stay, { change: 'issue-key', json: { additional: true } })
    expect(more.status, 'control: without the check there are two').toBe(201)
    expect(await locks.keysOf(stay)).toHaveLength(2)
  })

  it('STAFF-LOCK-06 without the rooms that an action takes, two devices get two keys', async () => {
    const devices = [locks.desk, await locks.signIn('manager')]
    const { schema, query } = locks
    const both = async () => {
      const stay = await locks.nextStay()
      const body = { additional: true }
      await Promise.all(
        devices.map((device) => act(device, stay, { change: 'issue-key', json: body })),
      )
      return (await locks.keysOf(stay)).length
    }
    expect(await both()).toBe(1)
    await query(`drop index ${schema}.ux_lock_action_open`)
    try {
      expect(await both()).toBe(2)
    } finally {
      await query(`create unique index ux_lock_action_open
        on ${schema}.lock_action_room (tenant_id, reservation_id, room_id) where is_open`)
    }
  })
})

describe('a revocation', () => {
  it('STAFF-LOCK-08 without a second factor calls nobody and records nothing', async () => {
    const { desk } = locks
    const stay = await locks.nextStay()
    const { keyId } = (await act(desk, stay, { change: 'issue-key' })).body
    const otherStay = await locks.nextStay()
    const wrong = [undefined, newId('mfa'), await stepUp(desk, otherStay)]
    for (const attestationId of wrong) {
      const body = { keyId, reason: 'lost', ...(attestationId && { attestationId }) }
      const rejected = await act(desk, stay, { change: 'revoke-key', json: body })
      expect([rejected.status, rejected.body.code]).toEqual([403, REQUIRED])
    }
    expect(await locks.keysOf(stay)).toMatchObject([{ state: 'active' }])
    const rows = await locks.query(
      `select 1 from ${locks.schema}.lock_action_proxy_audit
       where reservation_id = $1 and action = 'revoke'`,
      [stay.reservationId],
    )
    expect(rows).toEqual([])
    const revoked = await revoke(desk, stay, { keyId })
    expect(revoked.status, 'control: with one the key is revoked').toBe(201)
  })

  it('STAFF-LOCK-08 uses an attestation once; the same request needs no other one', async () => {
    const { desk } = locks
    const stay = await locks.nextStay()
    const one = (await act(desk, stay, { change: 'issue-key' })).body.keyId
    const two = (await act(desk, stay, { change: 'issue-key', json: { additional: true } })).body
      .keyId
    const attestationId = await stepUp(desk, stay)
    const body = { reason: 'lost', attestationId }
    const key = newId('req')
    const first = await act(desk, stay, {
      change: 'revoke-key',
      json: { ...body, keyId: one },
      key,
    })
    expect(first.status).toBe(201)
    const again = await act(desk, stay, {
      change: 'revoke-key',
      json: { ...body, keyId: one },
      key,
    })
    expect([again.status, again.body.actionId]).toEqual([201, first.body.actionId])
    const other = await act(desk, stay, { change: 'revoke-key', json: { ...body, keyId: two } })
    expect(other.body.code).toBe(REQUIRED)
    // Redis has forgotten that it was used: the index of the audit has not.
    const redisKey = `bff-backoffice-service:v1:mfa:${attestationId}`
    const used = (await locks.ctx.sessionRedis.get(redisKey)) ?? ''
    await locks.ctx.sessionRedis.set(redisKey, used.slice(0, used.lastIndexOf(']') + 1))
    const forgotten = await act(desk, stay, { change: 'revoke-key', json: { ...body, keyId: two } })
    expect([forgotten.status, forgotten.body.code]).toEqual([403, REQUIRED])
    expect((await locks.keysOf(stay)).find(({ keyId }) => keyId === two)?.state).toBe('active')
  })

  it('STAFF-LOCK-07 wins over an open issue, also of a key that nobody knows yet', async () => {
    const { desk, place } = locks
    for (const scenario of ['late', 'slow-lock'] as const) {
      const stay = await locks.nextStay()
      const owner = { tenantId: place.tenantId, reservationId: stay.reservationId }
      await locks.controls.setScenario(owner, { scenario, times: 1 })
      const issued = await act(desk, stay, { change: 'issue-key' })
      expect(issued.status).toBe(202)
      const other = await act(desk, stay, { change: 'issue-key' })
      expect(other.body.code, 'any other action waits').toBe(OPEN)
      const { actionId: issueActionId, keyId } = issued.body
      const revoked = await revoke(desk, stay, keyId === null ? { issueActionId } : { keyId })
      expect([201, 202]).toContain(revoked.status)
      await eventually(
        async () => {
          const action = await readAction(desk, revoked.body.actionId)
          expect(action.state).toBe('succeeded')
          expect((await locks.keysOf(stay)).map(({ state }) => state)).toEqual(['revoked'])
          expect((await readAction(desk, issueActionId)).outcome).toMatch(/success|failure/)
        },
        { timeoutMs: 10_000 },
      )
    }
  })
})

it('STAFF-LOCK-01 a crash after the call leaves a row; without that order it does not', async () => {
  const point = 'locks.after_call'
  const crash = await crashAt(locks, { point, action: 'issue' })
  expect(await unrecorded(locks, crash.stay)).toEqual([])
  await expectOneEffect(locks, crash, 'issue')
  const control = await crashAt(locks, { point, action: 'issue', order: 'call-first' })
  expect(await unrecorded(locks, control.stay), 'control: the key has no audit').toHaveLength(1)
}, 60_000)
