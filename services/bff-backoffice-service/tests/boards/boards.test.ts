import { createDeadline, systemClock } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import type { PropertyId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operator } from '../../src/access/operator.ts'
import { readBoard } from '../../src/boards/read-board.ts'
import { type Staff, signIn } from '../harness/staff.ts'
import { type Backoffice, OTHER_SLUG, startWithSandbox } from '../harness/start-backoffice.ts'

interface Board {
  readonly businessDate: string
  readonly source: string
  readonly rows: readonly Record<string, unknown>[]
  readonly page: { readonly total: number; readonly nextCursor: string | null }
  readonly delta: { readonly cursor: string; readonly full: boolean; readonly removed: string[] }
  readonly degraded: readonly string[]
  /** Of a rejection. */
  readonly code?: string
}

const PATHS = ['today', 'arrivals', 'departures', 'in-house', 'housekeeping', 'maintenance']

let office: Backoffice
let desk: Staff
let propertyId: string

beforeAll(async () => {
  office = await startWithSandbox()
  desk = await signIn(office, 'desk')
  propertyId = await desk.propertyId()
})
afterAll(() => office[Symbol.asyncDispose]())

const board = (staff: Staff, name: string, query = '') =>
  staff.read<Board>(`/${name}?propertyId=${propertyId}${query}`)

describe('B3 the boards of a hotel', () => {
  it.each(PATHS)('%s is composed of all its upstreams', async (name) => {
    const { status, body } = await board(desk, name)
    expect([status, body.degraded]).toEqual([200, []])
    expect(body.rows.length).toBeGreaterThan(0)
    expect(body.page).toEqual({ total: body.rows.length, nextCursor: null })
  })

  it('is read in pages', async () => {
    const all = (await board(desk, 'housekeeping')).body
    const ids: unknown[] = []
    let query = '&limit=7'
    for (;;) {
      const { body } = await board(desk, 'housekeeping', query)
      ids.push(...body.rows.map((row) => row['id']))
      if (body.page.nextCursor === null) break
      query = `&limit=7&cursor=${encodeURIComponent(body.page.nextCursor)}`
    }
    expect(ids).toEqual(all.rows.map((row) => row['id']))
  })

  it('STAFF-BRD-05 the cursor of a later page continues from the first page', async () => {
    const first = (await board(desk, 'housekeeping', '&limit=5')).body
    const cursor = encodeURIComponent(first.page.nextCursor ?? '')
    await office.service.ctx.cache.invalidate([`rooms:${desk.tokens.tenantId}:${propertyId}`])
    const second = (await board(desk, 'housekeeping', `&limit=5&cursor=${cursor}`)).body
    const versionOf = ({ delta }: Board) =>
      (
        JSON.parse(
          Buffer.from(delta.cursor.split('.')[0] ?? '', 'base64url').toString(),
        ) as string[]
      )[1]
    expect(versionOf(second)).toBe(versionOf(first))
  })

  it('says nothing new when nothing has changed', async () => {
    const { body } = await board(desk, 'arrivals')
    const since = encodeURIComponent(body.delta.cursor)
    const next = (await board(desk, 'arrivals', `&since=${since}`)).body
    expect([next.rows, next.delta.removed, next.delta.full]).toEqual([[], [], false])
  })

  it('STAFF-BRD-02 shows no guest to housekeeping, also after a manager has read it', async () => {
    const manager = await signIn(office, 'manager')
    const housekeeper = await signIn(office, 'housekeeper')
    const seen = (await board(manager, 'in-house')).body.rows
    expect(seen.every((row) => 'guest' in row)).toBe(true)
    const rows = (await board(housekeeper, 'in-house')).body.rows
    expect(rows.length).toBe(seen.length)
    expect(rows.some((row) => 'guest' in row)).toBe(false)
    const names = seen.map((row) => (row['guest'] as { fullName: string }).fullName)
    const text = JSON.stringify(rows)
    expect(names.filter((name) => text.includes(name))).toEqual([])
  })

  it('STAFF-BRD-03 a property of another tenant is not found, like one that does not exist', async () => {
    const other = await signIn(office, 'desk', { slug: OTHER_SLUG })
    const foreign = await other.propertyId()
    const unknown = 'ppt_01JGFJJZ00000000000000000A'
    for (const name of PATHS) {
      const responses = await Promise.all(
        [foreign, unknown].map((id) => desk.read(`/${name}?propertyId=${id}`)),
      )
      const bodies = responses.map(({ status, body }) => [status, body['code'], body['detail']])
      expect(bodies[0]).toEqual(bodies[1])
      expect(bodies[0]?.[0]).toBe(404)
    }
  })

  it('STAFF-BRD-04 a cursor of another tenant, role, property or board is rejected', async () => {
    const manager = await signIn(office, 'manager')
    const { cursor } = (await board(manager, 'arrivals')).body.delta
    const since = `&since=${encodeURIComponent(cursor)}`
    const responses = [
      await board(desk, 'arrivals', since),
      await board(manager, 'departures', since),
      await board(manager, 'arrivals', `&since=${encodeURIComponent(`${cursor}x`)}`),
      await board(manager, 'arrivals', '&since=abc.def'),
    ]
    const expected = [400, 'MELMASTOON.BFF.BACKOFFICE.CURSOR_INVALID']
    for (const { status, body } of responses) {
      expect([status, body.code]).toEqual(expected)
    }
  })

  it('shows maintenance the status of rooms only, and no stays', async () => {
    const technician = await signIn(office, 'technician')
    const rooms = (await board(technician, 'housekeeping')).body.rows
    expect(rooms.some((row) => 'task' in row || 'nextArrival' in row)).toBe(false)
    expect((await board(technician, 'arrivals')).status).toBe(403)
  })
})

describe('the business date', () => {
  let operator: Operator
  let kabulHotel: PropertyId

  beforeAll(async () => {
    const kabul = await signIn(office, 'desk', { slug: 'gulistan-hotel' })
    kabulHotel = (await kabul.propertyId()) as PropertyId
    const { tenantId, operatorId, deviceId, sessionId } = kabul.tokens
    const identity = { tenantId, operatorId, deviceId, sessionId, jkt: kabul.jkt }
    const rights = { roles: ['front_desk'], isLead: false, properties: '*' }
    operator = { ...identity, ...rights, tokenExpiresAt: new Date() } as Operator
  })

  /** The arrivals as they are read when clocks show this time. */
  async function arrivalsAt(now: Date, since?: string): Promise<Board> {
    using deadline = createDeadline(10_000)
    const clock = { ...systemClock, now: () => now }
    const request = {
      operator,
      propertyId: kabulHotel,
      board: 'arrivals',
      since,
      limit: 9,
    } as const
    const call = { deadline, trace: newTrace() }
    return JSON.parse(await readBoard({ ...office.service.ctx, clock }, request, call)) as Board
  }

  it('STAFF-BRD-11 the business date changes at midnight in Kabul, and the board is sent whole', async () => {
    const today = new Date().toISOString().slice(0, 10)
    // Kabul is ahead of UTC by four and a half hours all year.
    const before = await arrivalsAt(new Date(`${today}T19:29:59Z`))
    const after = await arrivalsAt(new Date(`${today}T19:30:00Z`), before.delta.cursor)
    expect(before.businessDate).toBe(today)
    expect(Date.parse(after.businessDate) - Date.parse(before.businessDate)).toBe(86_400_000)
    expect(after.delta.full).toBe(true)
    const unchanged = await arrivalsAt(new Date(`${today}T19:30:01Z`), after.delta.cursor)
    expect(unchanged.delta.full).toBe(false)
  })
})
