import { createDeadline, systemClock } from '@melmastoon/chassis/clock'
import { addDays, newId, todayIn } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import type { StaffStay } from '@melmastoon/upstream-contracts/reservation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { act, type LockScenario, type Locks, post, startLocks } from './lock-fixture.ts'

const PATIENT = { timeoutMs: 10_000, intervalMs: 50 }
const MINUTES = 60
const SYSTEM = 'opr_00000000000000000000000000'

let locks: Locks
/** Guests who are here for at least another day, and guests who arrive today. */
let inHouse: StaffStay[]
let arriving: StaffStay[]
beforeAll(async () => {
  const quick = { firstLookMs: 100, followUpMs: 100 }
  const overrides = { locks: quick, upstreamMs: { lock: 5_000 } }
  locks = await startLocks({ withFaults: true, overrides })
  const here = await staysOf('in_house')
  inHouse = await withKeys(
    here.filter(({ checkOut }) => checkOut > addDays(today(), 1)),
    1,
  )
  const expected = (await staysOf('arrivals')).filter(({ status }) => status === 'confirmed')
  arriving = await withKeys(expected, 0)
})
afterAll(() => locks[Symbol.asyncDispose]())

/** Of the hotel, in Dubai. */
function today() {
  return todayIn('Asia/Dubai', systemClock.now())
}

async function staysOf(view: 'in_house' | 'arrivals'): Promise<StaffStay[]> {
  using deadline = createDeadline(5_000)
  const { tenantId, propertyId } = locks.place
  const query = { view, date: today() }
  const input = { params: { propertyId }, query }
  return (await locks.ctx.upstreams.reservation.listForDay(input, { deadline, tenantId })).stays
}

/** One room each, and this number of keys, all active. */
async function withKeys(stays: readonly StaffStay[], count: number): Promise<StaffStay[]> {
  const found: StaffStay[] = []
  for (const stay of stays.filter(({ rooms }) => rooms.length === 1)) {
    const keys = await locks.keysOf(stay)
    const areActive = keys.every(({ state }) => state === 'active')
    if (keys.length === count && areActive) found.push(stay)
  }
  return found
}

function next(stays: StaffStay[]): StaffStay {
  const stay = stays.shift()
  if (stay === undefined) throw new TypeError('the demo world has no more stays')
  return stay
}

const ownerOf = ({ reservationId }: StaffStay) => ({
  tenantId: locks.place.tenantId,
  reservationId,
})

/** The lock service ends keys of ended stays itself: its own attempt takes the first turn. */
const play = (stay: StaffStay, scenario: LockScenario, times: number | null) =>
  locks.controls.setScenario(ownerOf(stay), { scenario, times })

/** Guests in house have one. */
async function withKey(stay: StaffStay, json: object = {}): Promise<string> {
  const [known] = await locks.keysOf(stay)
  if (known !== undefined) return known.keyId
  const issued = await act(locks.desk, stay, { change: 'issue-key', json })
  expect(issued.status, JSON.stringify(issued.body)).toBe(201)
  return issued.body.keyId ?? ''
}

async function checkOut({ reservationId }: StaffStay): Promise<void> {
  const { status } = await post(locks.desk, `/reservations/${reservationId}/check-out`, {})
  expect(status).toBe(200)
}

async function markNoShow({ reservationId }: StaffStay): Promise<void> {
  using deadline = createDeadline(5_000)
  const { operatorId, deviceId, tenantId } = locks.desk.tokens
  await locks.ctx.upstreams.reservation.markNoShow(
    { params: { reservationId }, body: { actor: { operatorId, deviceId } } },
    { deadline, tenantId, idempotencyKey: newId('req') },
  )
}

const statesOf = async (stay: StaffStay) =>
  Object.fromEntries((await locks.keysOf(stay)).map(({ keyId, state }) => [keyId, state]))

/** Outcomes of what this service did by itself, oldest first. */
async function ownActions({ reservationId }: StaffStay, action: string): Promise<string[]> {
  const rows = await locks.query<{ readonly outcome: string }>(
    `select outcome from ${locks.schema}.lock_action_proxy_audit
     where reservation_id = $1 and action = $2 and operator_id = $3 order by id`,
    [reservationId, action, SYSTEM],
  )
  return rows.map(({ outcome }) => outcome)
}

const followUpOf = async ({ reservationId }: StaffStay) => {
  const [row] = await locks.query<{ readonly next_at: Date | null; readonly tries: number }>(
    `select next_at, tries from ${locks.schema}.lock_follow_up where reservation_id = $1`,
    [reservationId],
  )
  return row
}

async function age({ reservationId }: StaffStay, minutes: number): Promise<void> {
  await locks.query(
    `update ${locks.schema}.lock_follow_up set next_at = now(), tries = 0,
       created_at = now() - $2 * interval '1 minute' where reservation_id = $1`,
    [reservationId, minutes],
  )
}

/** As staff see them, not as they are stored here. */
async function alertsAbout({ reservationId }: StaffStay): Promise<string[]> {
  using deadline = createDeadline(5_000)
  const { tenantId, propertyId } = locks.place
  const input = { params: { propertyId }, query: { limit: 200 } }
  const call = { deadline, tenantId }
  const { alerts } = await locks.ctx.upstreams.notification.listAlerts(input, call)
  return alerts
    .filter(({ resourceId }) => resourceId === reservationId)
    .map(({ category, severity, title }) => `${category} ${severity} ${title.key}`)
}

describe('the keys of a stay that has ended', () => {
  it.each([
    ['checked out', () => next(inHouse), checkOut],
    ['not arrived', () => next(arriving), markNoShow],
  ])('are revoked (%s), although the lock service lost its own revocation', async (...row) => {
    const [, choose, end] = row
    const stay = choose()
    const keyId = await withKey(stay)
    await play(stay, 'never', 1)
    await end(stay)
    await eventually(async () => {
      expect(await statesOf(stay)).toEqual({ [keyId]: 'revoked' })
      expect(await ownActions(stay, 'revoke')).toEqual(['success'])
      expect((await followUpOf(stay))?.next_at).toBeNull()
    }, PATIENT)
    expect(await alertsAbout(stay)).toEqual([])
  })

  it('are revoked after a vendor that has rejected it twice accepts it', async () => {
    const stay = next(inHouse)
    const keyId = await withKey(stay)
    await play(stay, 'refuse', 3)
    await checkOut(stay)
    await eventually(async () => {
      expect(await ownActions(stay, 'revoke')).toEqual(['failure', 'failure', 'success'])
      expect(await statesOf(stay)).toEqual({ [keyId]: 'revoked' })
      expect((await followUpOf(stay))?.next_at).toBeNull()
    }, PATIENT)
  })

  it('alert staff when the vendor keeps rejecting it for half an hour; it ends after a day', async () => {
    const stay = next(inHouse)
    const keyId = await withKey(stay)
    await play(stay, 'refuse', null)
    await checkOut(stay)
    await eventually(async () => {
      expect(await ownActions(stay, 'revoke')).toContain('failure')
    }, PATIENT)
    expect(await alertsAbout(stay), 'not yet').toEqual([])
    await age(stay, 31)
    const alert = 'lock_failed critical alerts.lock.contradiction'
    await eventually(async () => expect(await alertsAbout(stay)).toEqual([alert]), PATIENT)
    expect(await statesOf(stay)).not.toMatchObject({ [keyId]: 'revoked' })
    await age(stay, 25 * MINUTES)
    await eventually(async () => expect((await followUpOf(stay))?.next_at).toBeNull(), PATIENT)
    expect(await alertsAbout(stay), 'once').toEqual([alert])
  })

  it('are revoked as soon as the lock service responds again', async () => {
    const stay = next(inHouse)
    const keyId = await withKey(stay)
    await play(stay, 'never', 1)
    locks.faults.set('lock', 'down')
    await checkOut(stay)
    await eventually(
      async () => expect((await followUpOf(stay))?.tries).toBeGreaterThan(1),
      PATIENT,
    )
    expect(await ownActions(stay, 'revoke')).toEqual([])
    locks.faults.clear()
    await eventually(
      async () => expect(await statesOf(stay)).toEqual({ [keyId]: 'revoked' }),
      PATIENT,
    )
  })
})

describe('guests who move to another room', () => {
  const onPhone = { kind: 'mobile_app' }

  beforeAll(() => locks.setVendor('salto'))

  async function moveWith(scenario: LockScenario | null) {
    const stay = await locks.nextStay()
    const keyId = await withKey(stay, onPhone)
    if (scenario !== null) await play(stay, scenario, null)
    const moved = await locks.assignRoom(stay)
    return { stay, keyId, room: moved?.rooms[0]?.roomId ?? '' }
  }

  it('get the key of the new room on their phone, then lose the old one', async () => {
    const { stay, keyId, room } = await moveWith(null)
    await eventually(async () => {
      const keys = await locks.keysOf(stay)
      const active = keys.filter(({ state }) => state === 'active')
      expect(active.map(({ rooms }) => rooms)).toEqual([[room]])
      expect((await statesOf(stay))[keyId]).toBe('revoked')
      expect((await followUpOf(stay))?.next_at).toBeNull()
    }, PATIENT)
    expect(await ownActions(stay, 'issue')).toEqual(['success'])
    expect(await alertsAbout(stay)).toEqual([])
  })

  it('keep the old key while the vendor issues no new one, and staff are alerted', async () => {
    const { stay, keyId, room } = await moveWith('refuse')
    await eventually(
      async () => expect(await ownActions(stay, 'issue')).toContain('failure'),
      PATIENT,
    )
    expect((await statesOf(stay))[keyId], 'never without a key').toBe('active')
    expect(await ownActions(stay, 'revoke')).toEqual([])
    await age(stay, 31)
    const alert = 'lock_failed critical alerts.lock.room_change'
    await eventually(async () => expect(await alertsAbout(stay)).toEqual([alert]), PATIENT)
    await locks.controls.removeScenario(ownerOf(stay))
    await age(stay, 32)
    await eventually(async () => {
      const keys = await locks.keysOf(stay)
      const active = keys.filter(({ state }) => state === 'active')
      expect(active.map(({ rooms }) => rooms)).toEqual([[room]])
      expect((await statesOf(stay))[keyId]).toBe('revoked')
    }, PATIENT)
  })
})
