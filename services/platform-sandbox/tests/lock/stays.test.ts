import { appendEvents } from '@melmastoon/chassis/outbox'
import { newId, type ReservationId, toIsoDateTime } from '@melmastoon/domain'
import {
  platformRegistry,
  reservationCancelled,
  reservationCheckedOut,
} from '@melmastoon/platform-events'
import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemCause } from '../../src/event-causes.ts'
import { seedLock } from '../../src/modules/lock/seed-lock.ts'
import {
  actionsAt,
  houseOf,
  issueBody,
  type ServedLocks,
  serveLocks,
  world,
} from './lock-fixture.ts'

let served: ServedLocks

beforeAll(async () => {
  served = await serveLocks()
})
afterAll(() => served[Symbol.asyncDispose]())

const inHouse = world.stays.filter(({ status, roomId }) => status === 'in_house' && roomId !== null)

const countKeys = async (state: string) => {
  const { environment } = served
  const [row] = await environment.query<{ keys: number }>(
    `select count(*)::int as keys from ${environment.schema}.lock_credential
     where request_id is null and state = $1`,
    [state],
  )
  return row?.keys
}

describe('the keys of the demo world', () => {
  it('exist for every guest in the house, once', async () => {
    expect(inHouse.length).toBeGreaterThan(10)
    expect(await countKeys('active')).toBe(inHouse.length)
    await seedLock(served.db, world)
    expect(await countKeys('active')).toBe(inHouse.length)
  })

  it('are valid from check-in until half an hour after check-out, at the hotel', async () => {
    const [stay] = inHouse
    const house = world.properties.find(({ propertyId }) => propertyId === stay?.propertyId)
    if (stay === undefined || house === undefined) throw new Error('no guest in the house')
    const { propertyId, reservationId } = stay
    const { credentials } = await served.locks.listCredentials(
      { params: { propertyId }, query: { reservationId } },
      { tenantId: stay.tenantId },
    )
    const localTime = (instant: string) =>
      new Date(instant).toLocaleString('sv-SE', { timeZone: house.timeZone }).slice(0, 16)
    const [hour = '', minute = ''] = house.checkOutTime.split(':')
    const [key] = credentials
    expect(key).toMatchObject({ rooms: [stay.roomId], state: 'active', kind: 'rfid_card' })
    expect(localTime(key?.validFrom ?? '')).toBe(`${stay.checkIn} ${house.checkInTime}`)
    const end = Number(hour) * 60 + Number(minute) + 30
    const clock = [Math.floor(end / 60), end % 60].map((part) => String(part).padStart(2, '0'))
    expect(localTime(key?.validUntil ?? '')).toBe(`${stay.checkOut} ${clock.join(':')}`)
  })

  it('are revoked on the day after the guest has left', async () => {
    const [left] = inHouse
    if (left === undefined) throw new Error('no guest in the house')
    const later = { ...world, properties: [], stays: [{ ...left, status: 'checked_out' as const }] }
    await seedLock(served.db, later)
    await seedLock(served.db, later)
    expect([await countKeys('active'), await countKeys('revoked')]).toEqual([inHouse.length - 1, 1])
  })
})

describe('the end of a stay', () => {
  const house = houseOf('ttlock')
  const { tenantId, propertyId } = house

  const publish = async (
    event: typeof reservationCancelled | typeof reservationCheckedOut,
    reservationId: ReservationId,
    more: object,
  ) => {
    const cause = { ...systemCause('test'), tenantId }
    const occurredAt = toIsoDateTime(cause.occurredAt)
    const stay = { tenantId, propertyId, reservationId, priorStatus: null, occurredAt, ...more }
    const message = platformRegistry.build(event.subject, stay as never, cause)
    await served.db.transaction((tx) => appendEvents(tx, [message]))
    return message.envelope.eventId
  }

  it.each([
    [reservationCancelled, { status: 'cancelled', reasonCode: 'guest_request' }],
    [reservationCheckedOut, { status: 'checked_out', version: 3, causationId: null, roomIds: [] }],
  ])('revokes its keys ($subject), and no others', async (event, more) => {
    const { issue, list, read } = actionsAt(served, house)
    const body = issueBody(house)
    const [first, second] = [await issue(body), await issue({ ...body, requestId: newId('req') })]
    const other = await issue()
    const eventId = await publish(event, body.reservationId, more)
    await eventually(async () => {
      const { credentials } = await list({ reservationId: body.reservationId })
      expect(credentials.map(({ state }) => state)).toEqual(['revoked', 'revoked'])
    })
    expect((await read(first)).history.at(-1)).toMatchObject({ causationId: eventId })
    expect(await read(second)).toMatchObject({ version: 3 })
    expect(await read(other)).toMatchObject({ state: 'active', version: 2 })
  })

  it('revokes them despite a busy gateway', async () => {
    const { issue, list, control } = actionsAt(served, house)
    const body = issueBody(house)
    await issue(body)
    const path = `/reservations/${body.reservationId}/lock-scenario`
    await control(path, { scenario: 'busy-gateway', times: 1 })
    const more = { status: 'cancelled', reasonCode: 'guest_request' }
    await publish(reservationCancelled, body.reservationId, more)
    await eventually(async () => {
      const { credentials } = await list({ reservationId: body.reservationId })
      expect(credentials).toMatchObject([{ state: 'revoked' }])
    })
  })
})
