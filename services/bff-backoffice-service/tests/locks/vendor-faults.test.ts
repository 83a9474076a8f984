import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import type { StaffStay } from '@melmastoon/upstream-contracts/reservation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMAND_LINE } from '../../src/activity/activity.ts'
import { runLocksCommand } from '../../src/locks/locks-command.ts'
import {
  act,
  type LockScenario,
  type Locks,
  readAction,
  revoke,
  startLocks,
  uuidOf,
} from './lock-fixture.ts'

let locks: Locks
beforeAll(async () => {
  locks = await startLocks()
})
afterAll(() => locks[Symbol.asyncDispose]())

const PATIENT = { timeoutMs: 10_000, intervalMs: 50 }
const OPEN = 'MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_OPEN'

async function play({ reservationId }: StaffStay, scenario: LockScenario): Promise<void> {
  const owner = { tenantId: locks.place.tenantId, reservationId }
  await locks.controls.setScenario(owner, { scenario, times: 1 })
}

async function issueWith(scenario: LockScenario) {
  const stay = await locks.nextStay()
  await play(stay, scenario)
  return { stay, issued: await act(locks.desk, stay, { change: 'issue-key' }) }
}

const settledAs = (actionId: string, state: string) =>
  eventually(async () => {
    const action = await readAction(locks.desk, actionId)
    expect(action.state).toBe(state)
    return action
  }, PATIENT)

const sequencesOf = (action: Awaited<ReturnType<typeof readAction>>, source = 'event') =>
  (action.transitions ?? [])
    .filter((each) => each.source === source && each.state !== 'accepted')
    .map(({ state, applied, sequence }) => `${state} ${sequence} ${applied}`)

/** As if the action had been sent, or begun, earlier. */
async function age(actionId: string, column: 'sent_at' | 'created_at', hours: number) {
  await locks.query(
    `update ${locks.schema}.lock_action set ${column} = now() - $2 * interval '1 hour',
       next_at = now(), tries = 0 where action_id = $1`,
    [uuidOf(actionId), hours],
  )
}

async function alertsOf({ reservationId }: StaffStay): Promise<string[]> {
  const rows = await locks.query<{ readonly kind: string }>(
    `select kind from ${locks.schema}.lock_alert
     where reservation_id = $1 and raised_at is not null order by kind`,
    [reservationId],
  )
  return rows.map(({ kind }) => kind)
}

describe('a vendor that responds', () => {
  it('STAFF-LOCK-02 late: 202 and where to look, then settled by its event', async () => {
    const { stay, issued } = await issueWith('late')
    expect(issued).toMatchObject({ status: 202, body: { state: 'accepted', outcome: 'pending' } })
    expect(Number(issued.retryAfter)).toBeGreaterThan(0)
    const url = new URL(issued.location ?? '', `http://x/locks/${stay.reservationId}/issue-key`)
    expect(url.pathname).toBe(`/locks/actions/${issued.body.actionId}`)
    expect((await locks.audit(issued.body.actionId)).outcome).toBe('pending')
    const action = await settledAs(issued.body.actionId, 'succeeded')
    // The reconciler may have applied it before the event arrived.
    expect(sequencesOf(action)).toEqual([expect.stringMatching(/^succeeded 1 /)])
    const failed = await issueWith('late-failure')
    expect(failed.issued.status).toBe(202)
    expect((await settledAs(failed.issued.body.actionId, 'failed')).outcome).toBe('failure')
  })

  it('STAFF-LOCK-03 twice: one key, one outcome, both in the transitions', async () => {
    const { stay, issued } = await issueWith('twice')
    expect(issued.status).toBe(201)
    const { actionId } = issued.body
    const before = await locks.audit(actionId)
    await eventually(async () => {
      const action = await readAction(locks.desk, actionId)
      expect(sequencesOf(action)).toEqual(['succeeded 1 false', 'succeeded 1 false'])
    }, PATIENT)
    expect(await locks.audit(actionId)).toEqual(before)
    expect(await locks.keysOf(stay)).toHaveLength(1)
    expect(await alertsOf(stay)).toEqual([])
  })

  it('STAFF-LOCK-05 out of order: the older response changes nothing', async () => {
    const { stay, issued } = await issueWith('reordered')
    expect(issued.status).toBe(202)
    const { actionId } = issued.body
    await eventually(async () => {
      const action = await readAction(locks.desk, actionId)
      const succeeded: unknown = expect.stringMatching(/^succeeded 2 /)
      expect(sequencesOf(action)).toEqual([succeeded, 'failed 1 false'])
      expect(action.outcome).toBe('success')
    }, PATIENT)
    expect(await alertsOf(stay)).toEqual([])
  })

  it('STAFF-LOCK-05 success, then failure: the audit stays, and staff are alerted', async () => {
    const { stay, issued } = await issueWith('success-then-failure')
    expect(issued.status).toBe(201)
    const { actionId } = issued.body
    await eventually(async () => {
      const action = await readAction(locks.desk, actionId)
      expect(sequencesOf(action)).toEqual(['succeeded 1 false', 'failed 2 false'])
      expect(await alertsOf(stay)).toEqual(['contradiction'])
    }, PATIENT)
    expect((await locks.audit(actionId)).outcome).toBe('success')
    const [row] = await locks.query<{ readonly tries: number }>(
      `select count(*)::int as tries from ${locks.schema}.lock_action_proxy_audit where id = $1`,
      [uuidOf(actionId)],
    )
    expect(row?.tries).toBe(1)
  })

  it('twice with a key each: one is revoked, and staff are alerted', async () => {
    const { stay, issued } = await issueWith('duplicate-credential')
    expect(await locks.keysOf(stay)).toHaveLength(2)
    await eventually(async () => {
      const keys = await locks.keysOf(stay)
      const active = keys.filter(({ state }) => state === 'active')
      expect(active.map(({ keyId }) => keyId)).toEqual([issued.body.keyId])
      expect(await alertsOf(stay)).toEqual(['duplicate'])
    }, PATIENT)
  })
})

describe('a vendor that does not respond', () => {
  it('STAFF-LOCK-04 in time: unknown, settled later; the PIN by the same request', async () => {
    const stay = await locks.nextStay()
    await play(stay, 'slow-lock')
    const key = newId('req')
    const startedMs = performance.now()
    const issued = await act(locks.desk, stay, { change: 'issue-key', key })
    expect(performance.now() - startedMs).toBeLessThan(2_400)
    expect(issued).toMatchObject({ status: 202, body: { state: 'unknown', outcome: 'unknown' } })
    expect(issued.body.secret).toBeUndefined()
    const { actionId } = issued.body
    expect(await locks.audit(actionId)).toMatchObject({
      outcome: 'unknown',
      upstream_latency_ms: 0,
    })
    await settledAs(actionId, 'succeeded')
    const again = await act(locks.desk, stay, { change: 'issue-key', key })
    expect(again).toMatchObject({ status: 201, body: { actionId } })
    expect(again.body.secret?.pin).toMatch(/^\d{6}$/)
    expect(await locks.keysOf(stay)).toHaveLength(1)
  })

  it('STAFF-LOCK-04 never: found by its id, by its key, or failed after the delay', async () => {
    for (const scenario of ['silent-success', 'forgotten'] as const) {
      const { stay, issued } = await issueWith(scenario)
      expect(issued.status).toBe(202)
      const action = await settledAs(issued.body.actionId, 'succeeded')
      expect(action.transitions?.at(-1)).toMatchObject({ source: 'reconciler', applied: true })
      const [key] = await locks.keysOf(stay)
      expect(action.keyId).toBe(key?.keyId)
    }
    const { issued } = await issueWith('never')
    const { actionId } = issued.body
    await eventually(async () => {
      const [row] = await locks.query<{ readonly tries: number }>(
        `select tries from ${locks.schema}.lock_action where action_id = $1`,
        [uuidOf(actionId)],
      )
      expect(row?.tries).toBeGreaterThan(0)
    }, PATIENT)
    expect((await readAction(locks.desk, actionId)).state, 'within the delay').toBe('accepted')
    await age(actionId, 'sent_at', 1)
    const failed = await settledAs(actionId, 'failed')
    expect(failed.errorCode).toBe('MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_NOT_EXECUTED')
  })

  it('for half an hour alerts; after a day an operator decides, on record', async () => {
    const { stay, issued } = await issueWith('never')
    const { actionId } = issued.body
    const printed: string[] = []
    const command = (...words: string[]) =>
      runLocksCommand(words, { ...locks.ctx, instance: 'test' }, (line) => printed.push(line))
    const operatorId = newId('opr')
    expect(await command('show', 'lap_xyz')).toBe(2)
    expect(await command('settle', actionId, 'failure', 'me')).toBe(2)
    expect(printed.join()).toMatch(/lap_xyz is not the id of an action.*me is not the id of an op/s)
    await age(actionId, 'created_at', 0.6)
    await eventually(async () => expect(await alertsOf(stay)).toEqual(['unknown']), PATIENT)
    expect(await command('settle', actionId, 'failure', operatorId), 'too early').toBe(1)
    expect((await readAction(locks.desk, actionId)).state).toBe('accepted')
    await age(actionId, 'created_at', 25)
    expect(await command('settle', actionId, 'failure', operatorId), printed.join()).toBe(0)
    expect(await command('settle', actionId, 'success', operatorId), 'only once').toBe(1)
    expect((await locks.audit(actionId)).outcome).toBe('failure')
    const events = await locks.query(
      `select event_id from (select event_id, subject, payload from ${locks.schema}.outbox
         union select event_id, subject, payload from ${locks.schema}.outbox_published) as event
       where subject like '%.lock_action.settled.v1' and payload ->> 'actionId' = $1
         and payload ->> 'source' = 'manual'`,
      [actionId],
    )
    expect(events, 'the decision is an event, as any other result').toHaveLength(1)
    const rows = await locks.query(
      `select operator_id, device_id, action, outcome from ${locks.schema}.operator_activity
       where resource_id = $1 and action = 'lock.settle'`,
      [actionId],
    )
    expect(rows, 'one row of the ledger, without a device').toEqual([
      {
        operator_id: operatorId,
        device_id: COMMAND_LINE.deviceId,
        action: 'lock.settle',
        outcome: 'success',
      },
    ])
    printed.length = 0
    expect(await command('show', actionId)).toBe(0)
    // An event of the vendor may come after it, without effect.
    expect(printed.join('\n')).toContain(`(manual by ${operatorId})`)
    expect(await command('show')).toBe(2)
  })
})

describe('keys and stays', () => {
  it('STAFF-LOCK-09 another action waits for an unknown one; then it has its effect', async () => {
    const { stay, issued } = await issueWith('slow-lock')
    const { actionId } = issued.body
    expect(issued.body.state).toBe('unknown')
    const { keyId } = await settledAs(actionId, 'succeeded')
    await play(stay, 'slow-lock')
    const untilMs = Date.parse(issued.body.validUntil ?? '')
    const validUntil = new Date(untilMs - 7_200_000).toISOString()
    const extended = await act(locks.desk, stay, {
      change: 'extend-key',
      json: { keyId, validUntil },
    })
    expect(extended.body.state).toBe('unknown')
    const bound = await act(locks.desk, stay, { change: 'rebind-key', json: { keyId } })
    expect([bound.status, bound.body.code]).toEqual([409, OPEN])
    await settledAs(extended.body.actionId, 'succeeded')
    const [key] = await locks.keysOf(stay)
    expect(Date.parse(key?.validUntil ?? '')).toBe(untilMs - 7_200_000)
    expect((await act(locks.desk, stay, { change: 'rebind-key', json: { keyId } })).status).toBe(
      201,
    )
  })

  it('STAFF-LOCK-09 guests who move get the new key first, then lose the old one', async () => {
    const { stay, issued } = await issueWith('slow-lock')
    const moved = await locks.assignRoom(stay)
    expect(moved?.rooms[0]?.roomId).not.toBe(stay.rooms[0]?.roomId)
    const { keyId } = await settledAs(issued.body.actionId, 'succeeded')
    const followed = () =>
      eventually(async () => {
        const [row] = await locks.query<{ readonly tries: number }>(
          `select tries from ${locks.schema}.lock_follow_up where reservation_id = $1`,
          [stay.reservationId],
        )
        expect(row?.tries).toBeGreaterThan(1)
      }, PATIENT)
    await followed()
    expect(await locks.keysOf(stay), 'without a new key the old one works').toMatchObject([
      { keyId, state: 'active' },
    ])
    const next = await act(locks.desk, stay, { change: 'issue-key' })
    expect(next).toMatchObject({ status: 201, body: { roomIds: [moved?.rooms[0]?.roomId] } })
    await eventually(async () => {
      const keys = await locks.keysOf(stay)
      const states = Object.fromEntries(keys.map((key) => [key.keyId, key.state]))
      expect(states).toEqual({ [keyId ?? '']: 'revoked', [next.body.keyId ?? '']: 'active' })
    }, PATIENT)
  })

  it('a stay that ends leaves no key, even if the lock service loses its revocation', async () => {
    const stay = await locks.nextStay()
    const { keyId } = (await act(locks.desk, stay, { change: 'issue-key' })).body
    await play(stay, 'never')
    await locks.cancel(stay)
    await eventually(async () => {
      expect(await locks.keysOf(stay)).toMatchObject([{ keyId, state: 'revoked' }])
      const rows = await locks.query<{ readonly operator_id: string; readonly outcome: string }>(
        `select operator_id, outcome from ${locks.schema}.lock_action_proxy_audit
         where reservation_id = $1 and action = 'revoke'`,
        [stay.reservationId],
      )
      const operator_id = 'opr_00000000000000000000000000'
      expect(rows).toEqual([{ operator_id, outcome: 'success' }])
      const [followUp] = await locks.query<{ readonly next_at: Date | null }>(
        `select next_at from ${locks.schema}.lock_follow_up where reservation_id = $1`,
        [stay.reservationId],
      )
      expect(followUp?.next_at).toBeNull()
    }, PATIENT)
  })
})

describe('a busy gateway', () => {
  it('STAFF-LOCK-10 30 check-ins: 409 without a retry, each with an audit, one key each', async () => {
    await locks.setVendor('ttlock')
    try {
      const stays: StaffStay[] = []
      while (stays.length < 30) stays.push(await locks.nextStay())
      const keys = stays.map(() => newId('req'))
      const send = (stay: StaffStay, at: number) =>
        act(locks.desk, stay, { change: 'issue-key', key: keys[at] })
      const sent = await Promise.all(stays.map(send))
      const done = sent.filter(({ status }) => status === 201)
      const busy = sent.filter(({ status }) => status === 409)
      expect([done.length > 0, busy.length > 0, done.length + busy.length]).toEqual([
        true,
        true,
        30,
      ])
      const codes = new Set(busy.map(({ body }) => body.code))
      expect(codes).toEqual(new Set(['MELMASTOON.LOCK.GATEWAY_BUSY']))
      const rows = await locks.query<{ readonly outcome: string; readonly rows: number }>(
        `select outcome, count(*)::int as rows from ${locks.schema}.lock_action_proxy_audit
         where reservation_id = any ($1) group by outcome order by outcome`,
        [stays.map(({ reservationId }) => reservationId)],
      )
      expect(rows).toEqual([
        { outcome: 'failure', rows: busy.length },
        { outcome: 'success', rows: done.length },
      ])
      const at = sent.findIndex(({ status }) => status === 409)
      const waiting = stays[at]
      if (waiting === undefined) throw new TypeError('nobody waits')
      await eventually(async () => expect((await send(waiting, at)).status).toBe(201), {
        ...PATIENT,
        intervalMs: 300,
      })
      expect(await locks.keysOf(waiting)).toHaveLength(1)
    } finally {
      await locks.setVendor('generic-wiegand')
    }
  })
})

describe('the audit', () => {
  it('only moves forward, and transitions are never changed', async () => {
    const stay = await locks.nextStay()
    const { actionId } = (await act(locks.desk, stay, { change: 'issue-key' })).body
    const { schema, query } = locks
    const id = [uuidOf(actionId)]
    const wrong = [
      `update ${schema}.lock_action_proxy_audit set outcome = 'pending' where id = $1`,
      `update ${schema}.lock_action_proxy_audit set outcome = 'failure' where id = $1`,
      `update ${schema}.lock_action_proxy_audit set operator_id = 'x' where id = $1`,
      `update ${schema}.lock_action_transition set state = 'failed' where action_id = $1`,
      `delete from ${schema}.lock_action_transition where action_id = $1`,
    ]
    for (const text of wrong)
      await expect(query(text, id), text).rejects.toThrow(/forward|change|only/)
    const revoked = await revoke(locks.desk, stay, {
      keyId: (await readAction(locks.desk, actionId)).keyId,
    })
    expect(revoked.status).toBe(201)
  })
})
