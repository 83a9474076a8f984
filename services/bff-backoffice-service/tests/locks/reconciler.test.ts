import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { idToUuid, newId, type RoomId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import type { KeyCredential } from '@melmastoon/upstream-contracts/lock'
import type { StaffStay } from '@melmastoon/upstream-contracts/reservation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LockActionId } from '../../src/locks/lock-action.ts'
import { selectAction, toRecord } from '../../src/locks/lock-action-sql.ts'
import { insertAlert } from '../../src/locks/lock-alert-sql.ts'
import { raiseDue, reconcileDue } from '../../src/locks/reconciler.ts'
import { settle } from '../../src/locks/settle-action.ts'
import { act, type Locks, startLocks } from './lock-fixture.ts'

let locks: Locks
beforeAll(async () => {
  // The tests themselves decide when the reconciler looks.
  locks = await startLocks({ overrides: { locks: { pollMs: 3_600_000 } } })
})
afterAll(() => locks[Symbol.asyncDispose]())

const PATIENT = { timeoutMs: 10_000, intervalMs: 50 }
type Deps = Parameters<typeof reconcileDue>[0]

/** Looks at everything that is open, at once. */
async function look(deps: Deps = locks.ctx): Promise<void> {
  const now = `set next_at = now(), lease_until = '-infinity' where next_at is not null`
  await locks.query(`update ${locks.schema}.lock_action ${now} and settled_at is null`)
  await locks.query(`update ${locks.schema}.lock_follow_up ${now}`)
  await reconcileDue(deps, AbortSignal.timeout(20_000))
}

const followUps = async ({ reservationId }: StaffStay) =>
  await locks.query<{ readonly next_at: Date | null }>(
    `select next_at from ${locks.schema}.lock_follow_up where reservation_id = $1`,
    [reservationId],
  )

describe('guests who move', () => {
  it('STAFF-LOCK-09 and move back keep the key of their room', async () => {
    await locks.setVendor('salto')
    try {
      const stay = await locks.nextStay()
      const issued = await act(locks.desk, stay, {
        change: 'issue-key',
        json: { kind: 'mobile_app' },
      })
      expect(issued.status, JSON.stringify(issued.body)).toBe(201)
      await locks.assignRoom(stay)
      await locks.moveBack(stay)
      await eventually(async () => expect(await followUps(stay)).toHaveLength(2), PATIENT)
      await eventually(async () => {
        await look()
        expect(await followUps(stay)).toEqual([{ next_at: null }, { next_at: null }])
      }, PATIENT)
      const keys = await locks.keysOf(stay)
      expect(keys.map(({ keyId, state }) => [keyId, state])).toEqual([
        [issued.body.keyId, 'active'],
      ])
    } finally {
      await locks.setVendor('generic-wiegand')
    }
  })

  it.each([
    ['the new room has no key', 0],
    ['control: it has one', 1],
  ])('from one of two rooms: %s', async (_, expected) => {
    const stay = await locks.nextStay()
    await act(locks.desk, stay, { change: 'issue-key' })
    const [real] = await locks.keysOf(stay)
    if (real === undefined) throw new TypeError('no key')
    const [left, next, other] = [newId('rmu'), newId('rmu'), newId('rmu')]
    const keyFor = (room: RoomId): KeyCredential => ({
      ...real,
      keyId: newId('key'),
      rooms: [room],
    })
    const keys = [keyFor(left), keyFor(other), ...(expected > 0 ? [keyFor(next)] : [])]
    const deps = withStay(stay, { rooms: [next, other], keys })
    await locks.query(
      `insert into ${locks.schema}.lock_follow_up (tenant_id, id, kind, property_id,
         reservation_id, reason, room_ids, prior_room_ids, next_at)
       values ($1, $2, 'room_changed', $3, $4, 'replaced', $5, $6, now())`,
      [
        idToUuid(locks.place.tenantId),
        idToUuid(newId('evt')),
        idToUuid(locks.place.propertyId),
        stay.reservationId,
        [next, other],
        [left],
      ],
    )
    await look(deps)
    const revocations = await locks.query<{ readonly key_id: string }>(
      `select key_id from ${locks.schema}.lock_action
       where reservation_id = $1 and action = 'revoke'`,
      [stay.reservationId],
    )
    expect(revocations.map(({ key_id }) => key_id)).toEqual(
      keys.slice(0, expected).map(({ keyId }) => keyId),
    )
  })
})

/** A stay with these rooms, and these keys. */
function withStay(
  { reservationId }: StaffStay,
  { rooms, keys }: { readonly rooms: readonly RoomId[]; readonly keys: KeyCredential[] },
): Deps {
  const { upstreams } = locks.ctx
  const getStay: typeof upstreams.reservation.getStay = async (input, call) => {
    const stay = await upstreams.reservation.getStay(input, call)
    const [room] = stay.rooms
    if (room === undefined || input.params.reservationId !== reservationId) return stay
    return { ...stay, rooms: rooms.map((roomId) => ({ ...room, roomId })) }
  }
  const lock: typeof upstreams.lock = {
    ...upstreams.lock,
    listCredentials: async (input, call) => {
      const listed = await upstreams.lock.listCredentials(input, call)
      const isOther = input.query?.reservationId !== reservationId
      return isOther ? listed : { ...listed, credentials: keys }
    },
  }
  const reservation = { ...upstreams.reservation, getStay }
  return { ...locks.ctx, upstreams: { ...upstreams, lock, reservation } }
}

describe('a report', () => {
  /** The second one waits for the first, which commits another state or the same. */
  async function race(second: 'succeeded' | 'failed'): Promise<number> {
    const stay = await locks.nextStay()
    const { tenantId } = locks.place
    await locks.controls.setScenario(
      { tenantId, reservationId: stay.reservationId },
      { scenario: 'never', times: 1 },
    )
    const actionId = (await act(locks.desk, stay, { change: 'issue-key' })).body
      .actionId as LockActionId
    const { db } = locks.ctx
    const [row] = await db.tenantQuery(tenantId, selectAction(actionId))
    if (row === undefined) throw new TypeError('no action')
    const report = (state: 'succeeded' | 'failed', sequence: number, hold?: () => Promise<void>) =>
      db.withTenant(tenantId, async (tx) => {
        const result = { state, sequence, source: 'event', latencyMs: 1 } as const
        const cause = {
          producerInstance: 'test',
          tenantId,
          requestId: newId('req'),
          traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
          occurredAt: new Date(),
        }
        const isFirst = await settle(locks.ctx, tx, { action: toRecord(row), result, cause })
        await hold?.()
        return isFirst
      })
    let waiting: Promise<boolean> | undefined
    const isFirst = await report('succeeded', 1, async () => {
      waiting = report(second, 2)
      await eventually(async () => {
        const blocked = await locks.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock'
           and query like '%lock_action_proxy_audit set outcome%'`,
        )
        expect(blocked).toHaveLength(1)
      }, PATIENT)
    })
    expect([isFirst, await waiting]).toEqual([true, false])
    const alerts = await locks.query(
      `select 1 from ${locks.schema}.lock_alert where action_id = $1`,
      [idToUuid(actionId)],
    )
    return alerts.length
  }

  it('of the same outcome at the same time is no contradiction', async () => {
    expect(await race('succeeded')).toBe(0)
    expect(await race('failed'), 'control: another outcome is one').toBe(1)
  })
})

describe('an alert', () => {
  it('that is rejected is done, one that fails is sent again later, others are not delayed', async () => {
    const { place, ctx, schema } = locks
    await raiseDue(ctx, AbortSignal.timeout(10_000))
    const stay = await locks.nextStay()
    const errors = { rejected: newId('lap'), failed: newId('lap'), received: newId('lap') }
    for (const id of Object.values(errors)) {
      const alert = { ...place, reservationId: stay.reservationId, kind: 'unknown' as const }
      await ctx.db.tenantQuery(place.tenantId, insertAlert({ ...alert, subjectId: idToUuid(id) }))
    }
    const { raise } = ctx.upstreams.notification
    const sent: string[] = []
    const notification = {
      ...ctx.upstreams.notification,
      raise: async (...[input, call]: Parameters<typeof raise>) => {
        const { deduplicationKey: key = '' } = input.body
        sent.push(key)
        if (key.endsWith(errors.rejected)) throw new UpstreamRejection('notification', 422, {})
        if (key.endsWith(errors.failed)) throw new Error('unavailable')
        return await raise(input, call)
      },
    }
    const deps = { ...ctx, upstreams: { ...ctx.upstreams, notification } }
    expect(await raiseDue(deps, AbortSignal.timeout(10_000))).toBe(3)
    expect(await raiseDue(deps, AbortSignal.timeout(10_000)), 'not at once').toBe(0)
    expect(sent).toHaveLength(3)
    const open = await locks.query<{ readonly action_id: string; readonly is_later: boolean }>(
      `select action_id, next_at > now() + interval '5 seconds' as is_later
       from ${schema}.lock_alert where raised_at is null and reservation_id = $1`,
      [stay.reservationId],
    )
    expect(open).toEqual([{ action_id: idToUuid(errors.failed), is_later: true }])
  })
})
