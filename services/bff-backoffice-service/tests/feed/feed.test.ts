import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { readEventStream, type StreamMessage } from '@melmastoon/client/source'
import { addDays, type IsoDate, newId, type PropertyId } from '@melmastoon/domain'
import { type Browser, eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PUBLIC_URL } from '../harness/backoffice-environment.ts'
import { type Staff, signIn } from '../harness/staff.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'
import { startBookingNextTo } from '../harness/start-booking.ts'

interface Board {
  readonly businessDate: IsoDate
  readonly rows: readonly Record<string, unknown>[]
  readonly delta: { readonly cursor: string; readonly full: boolean }
}

let office: Backoffice
let desk: Staff
let lead: Staff
let propertyId: PropertyId
const received = new Map<Staff, StreamMessage[]>()
const closing = new AbortController()
const streams: Promise<void>[] = []

/** As the desktop does it: the reader of the client package, with a proof for each attempt. */
function follow(staff: Staff): void {
  const messages: StreamMessage[] = []
  received.set(staff, messages)
  const reader = readEventStream({
    url: `${office.service.url}/bff/backoffice/v1/sse/stream`,
    signal: closing.signal,
    headers: async ({ nonce }) => {
      const { accessToken, deviceId } = staff.tokens
      const htu = `${PUBLIC_URL}/sse/stream`
      const dpop = await staff.proof({ method: 'GET', htu, accessToken, nonce })
      return { authorization: `DPoP ${accessToken}`, dpop, 'x-device-id': deviceId }
    },
  })
  const read = async () => {
    for await (const message of reader) messages.push(message)
  }
  streams.push(read())
}

const messagesOf = (staff: Staff) => received.get(staff) ?? []

const find = (staff: Staff, event: string, data: object) =>
  eventually(() =>
    expect(messagesOf(staff)).toContainEqual(
      expect.objectContaining({ event, data: expect.objectContaining(data) }),
    ),
  )

beforeAll(async () => {
  office = await startWithSandbox()
  ;[desk, lead] = await Promise.all([signIn(office, 'desk'), signIn(office, 'housekeeping-lead')])
  propertyId = (await desk.propertyId()) as PropertyId
  for (const staff of [desk, lead]) follow(staff)
  await eventually(() => {
    if ([desk, lead].some((staff) => messagesOf(staff).length === 0)) throw new Error('no hello')
  })
})
afterAll(async () => {
  closing.abort()
  await Promise.all(streams)
  await office[Symbol.asyncDispose]()
})

const board = async (name: string, since?: string): Promise<Board> => {
  const query = since === undefined ? '' : `&since=${encodeURIComponent(since)}`
  return (await desk.read<Board>(`/${name}?propertyId=${propertyId}${query}`)).body
}

/** A guest books a room for tonight, as the booking service does it. */
async function book(date: IsoDate) {
  const { tenantId } = desk.tokens
  const { pricing, property, reservation } = office.service.ctx.upstreams
  using deadline = createDeadline(10_000)
  const call = () => ({ tenantId, deadline, trace: newTrace(), idempotencyKey: newId('req') })
  const { roomTypes } = await property.getProperty({ params: { propertyId } }, call())
  for (const { roomTypeId } of roomTypes) {
    const stay = { checkIn: date, checkOut: addDays(date, 1) }
    const rooms = [{ roomTypeId, quantity: 1 }]
    const occupancy = { adults: 1, children: 0, rooms: 1 }
    try {
      const quote = await pricing.createQuote(
        { body: { propertyId, rooms, stay, occupancy } },
        call(),
      )
      const hold = { quoteId: quote.quoteId, draftId: newId('bdr'), guestLocale: 'en' as const }
      const { reservationId } = await reservation.hold({ body: hold }, call())
      const guest = { fullName: 'Zarghuna Popal', email: 'guest@example.com' }
      const payment = { method: 'cash_on_arrival' as const }
      const body = { guest, payment, expectedDigest: quote.digest }
      await reservation.confirm({ params: { reservationId }, body }, call())
      return reservationId
    } catch {
      // Sold out tonight: the next room type.
    }
  }
  throw new Error('no room of the hotel can be booked for tonight')
}

/** The same over HTTP, with the booking service in between. */
async function bookOnSite(guest: Browser, date: IsoDate): Promise<void> {
  const { property } = office.service.ctx.upstreams
  using deadline = createDeadline(10_000)
  const { roomTypes } = await property.getProperty({ params: { propertyId } }, { deadline })
  for (const { roomTypeId } of roomTypes) {
    const stay = { checkIn: date, checkOut: addDays(date, 1) }
    const occupancy = { adults: 1, children: 0, rooms: 1 }
    const rooms = [{ roomTypeId, quantity: 1 }]
    const quote = await guest.post('/quote', { propertyId, stay, occupancy, rooms })
    if (quote.status !== 201) continue
    const { quoteId, digest } = quote.body
    const held = await guest.post('/hold', { quoteId, digest }, { key: newId('req') })
    if (held.status === 201) return await confirmInCash(guest, held.body)
  }
  throw new Error('no room of the hotel can be booked for tonight')
}

async function confirmInCash(guest: Browser, held: Record<string, unknown>): Promise<void> {
  const { draftId, version } = held
  const details = { fullName: 'Zarghuna Popal', email: 'guest@example.com', termsAccepted: true }
  const path = `/draft/${String(draftId)}`
  await guest.patch(path, { version, guest: details })
  await guest.post(`${path}/payment-intent`, { method: 'cash_on_arrival' })
  await guest.post(`${path}/confirm`)
  await eventually(async () => {
    const { body } = await guest.get(path)
    expect(body['state']).toBe('confirmed')
  })
}

describe('what happens in the platform', () => {
  it('STAFF-BRD-12 a new booking is on the arrivals board in less than two seconds', async () => {
    const { businessDate, delta } = await board('arrivals')
    const reservationId = await book(businessDate)
    const confirmedMs = performance.now()
    await find(desk, 'arrivals', { reservationId, type: 'reservation.confirmed', propertyId })
    await eventually(async () => {
      const { rows, delta: next } = await board('arrivals', delta.cursor)
      expect(next.full).toBe(false)
      expect(rows.map(({ id }) => id)).toContain(reservationId)
    })
    expect(performance.now() - confirmedMs).toBeLessThan(2_000)
    const text = JSON.stringify([messagesOf(desk), messagesOf(lead)])
    expect(text).not.toContain('Zarghuna')
  })

  it('STAFF-BRD-12 a booking on the hotel’s own site is on the board without a reload', async () => {
    await using booking = await startBookingNextTo(office.sandbox)
    const { businessDate, delta } = await board('arrivals')
    const before = new Set((await board('arrivals')).rows.map(({ id }) => id))
    const seen = messagesOf(desk).length
    await bookOnSite(await booking.guest(), businessDate)
    await eventually(() => {
      const types = messagesOf(desk)
        .slice(seen)
        .map(({ event, data }) => [event, data['type']])
      expect(types).toContainEqual(['arrivals', 'reservation.confirmed'])
    })
    const [message] = messagesOf(desk)
      .slice(seen)
      .filter(({ data }) => data['type'] === 'reservation.confirmed')
    await eventually(async () => {
      const { rows, delta: next } = await board('arrivals', delta.cursor)
      expect(next.full).toBe(false)
      const added = rows.filter(({ id }) => !before.has(id))
      expect(added).toMatchObject([{ id: message?.data['reservationId'], status: 'confirmed' }])
    })
  })

  it('a task, a work order and a charge reach the devices and the boards', async () => {
    const rooms = (await board('housekeeping')).rows
    const room = rooms.find((row) => {
      const task = row['task'] as { readonly status?: string } | undefined
      return row['occupancy'] === 'vacant' && task?.status === 'pending'
    })
    if (room === undefined) throw new Error('the demo world has no such room')
    const { taskId } = room['task'] as { readonly taskId: string }
    expect((await lead.post(`/housekeeping/tasks/${taskId}/start`, {})).status).toBe(200)
    await find(desk, 'housekeeping', { taskId, status: 'in_progress' })
    await find(lead, 'housekeeping', { taskId, status: 'in_progress' })
    await eventually(async () => {
      const after = (await board('housekeeping')).rows.find(({ id }) => id === room['id'])
      expect(after?.['task']).toMatchObject({ taskId, status: 'in_progress' })
    })
    const order = { propertyId, category: 'it', severity: 'low', title: 'No network' }
    const { body } = await desk.post('/maintenance/work-orders', order)
    await find(desk, 'maintenance', { workOrderId: body['workOrderId'] })
    await find(lead, 'maintenance', { type: 'maintenance.work_order.created' })
    expect(JSON.stringify(messagesOf(lead))).not.toContain(String(body['workOrderId']))
    const stay = (await board('in-house')).rows.find((row) => 'balance' in row)
    if (stay === undefined) throw new Error('the demo world has no such stay')
    const { currency } = stay['balance'] as { readonly currency: string }
    const charge = { amount: { amount: 100, currency }, category: 'laundry', description: 'Shirt' }
    const posted = await desk.post(`/folios/${String(stay['folioId'])}/charges`, charge)
    expect(posted.status).toBe(201)
    await find(desk, 'in_house', { folioId: stay['folioId'] })
  })

  it('a changed role ends the stream, which begins again with the new scope', async () => {
    const { tenantId, operatorId } = lead.tokens
    const { tenant } = office.service.ctx.upstreams
    using deadline = createDeadline(10_000)
    const call = () => ({ tenantId, deadline, trace: newTrace(), idempotencyKey: newId('req') })
    const known = await tenant.getOperator({ params: { operatorId } }, call())
    const { roles, properties, version } = known
    const actor = { operatorId, deviceId: lead.tokens.deviceId }
    const body = { roles, properties, isLead: false, expectedVersion: version, actor }
    await tenant.setOperatorRole({ params: { operatorId }, body }, call())
    await find(lead, 'session', { type: 'operator.changed' })
    await find(lead, 'bye', { reason: 'scope_changed' })
    await eventually(
      () => {
        const hellos = messagesOf(lead).filter(({ event }) => event === 'hello')
        expect(hellos.at(-1)?.data['channels']).not.toContain('ai')
        expect(hellos[0]?.data['channels']).toContain('ai')
      },
      { timeoutMs: 12_000 },
    )
    expect(messagesOf(lead).some(({ event }) => event === 'gap')).toBe(false)
  })
})
