import { createDeadline, systemClock } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { type IsoDate, type PropertyId, parseId, problem } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operator, OperatorRole } from '../../src/access/operator.ts'
import { rightsOn } from '../../src/boards/board-rights.ts'
import type { BoardUpstreams } from '../../src/boards/board-sources.ts'
import { composeBoard } from '../../src/boards/compose-board.ts'
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

  it('rejects the cursor of a page as a position for changes: later pages were not read', async () => {
    const { page } = (await board(desk, 'housekeeping', '&limit=5')).body
    const since = encodeURIComponent(page.nextCursor ?? '')
    const { status, body } = await board(desk, 'housekeeping', `&since=${since}`)
    expect([status, body.code]).toEqual([400, 'MELMASTOON.BFF.BACKOFFICE.CURSOR_INVALID'])
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

  it('STAFF-BRD-02 shows housekeeping neither codes, money nor keys', async () => {
    const housekeeper = await signIn(office, 'housekeeper')
    const hidden = ['code', 'folioId', 'folioStatus', 'balance', 'keyState', 'keyIds']
    const shownTo = async (staff: Staff) => {
      const boards = await Promise.all(
        ['arrivals', 'departures', 'in-house'].map((name) => board(staff, name)),
      )
      const names = new Set(boards.flatMap(({ body }) => body.rows.flatMap(Object.keys)))
      return hidden.filter((name) => names.has(name))
    }
    expect(await shownTo(desk)).toEqual(hidden)
    expect(await shownTo(housekeeper)).toEqual([])
    const tile = async (staff: Staff) =>
      (await board(staff, 'today')).body.rows.find(({ id }) => id === 'departures')?.['counts']
    expect(await tile(desk)).toHaveProperty('balancesDue')
    expect(await tile(housekeeper)).toHaveProperty('expected')
    expect(await tile(housekeeper)).not.toHaveProperty('balancesDue')
  })

  it('takes a date only where a board has one, and only near today', async () => {
    const { businessDate } = (await board(desk, 'arrivals')).body
    const at = (days: number) =>
      new Date(Date.parse(businessDate) + days * 86_400_000).toISOString().slice(0, 10)
    const responses = await Promise.all(
      [
        ['arrivals', at(92)],
        ['in-house', at(-31)],
        ['arrivals', at(93)],
        ['departures', at(-32)],
        ['housekeeping', at(0)],
        ['maintenance', at(1)],
        ['today', at(1)],
      ].map(([name = '', date]) => board(desk, name, `&date=${date}`)),
    )
    const results = responses.map(({ body }) => body.code ?? body.businessDate)
    const invalid = 'MELMASTOON.GENERAL.VALIDATION_FAILED'
    expect(results).toEqual([at(92), at(-31), invalid, invalid, invalid, invalid, invalid])
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

describe('parts that are missing', () => {
  /** No stays of this date are cached. */
  async function degradedAt(date: string, role: OperatorRole, fail: Partial<BoardUpstreams>) {
    using deadline = createDeadline(5_000)
    const { ctx } = office.service
    const { tenantId, operatorId } = desk.tokens
    const viewer = { roles: [role], isLead: false, operatorId: parseId('opr', operatorId) }
    const hotel = { tenantId: parseId('tnt', tenantId), propertyId: parseId('ppt', propertyId) }
    const rights = rightsOn('today', viewer)
    const { degraded } = await composeBoard(
      { ...ctx, reportSection: () => undefined, upstreams: { ...ctx.upstreams, ...fail } },
      { ...hotel, board: 'today', date: date as IsoDate, checkOutTime: '11:00', rights },
      { deadline, trace: newTrace() },
    )
    return degraded
  }

  const fail = () => Promise.reject(problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'))

  it('are named by their upstream, once', async () => {
    const { reservation } = office.service.ctx.upstreams
    const broken = { reservation: { ...reservation, listForDay: fail } }
    expect(await degradedAt('2031-01-01', 'front_desk', broken)).toEqual(['reservation'])
  })

  it('are not named when the role does not see them', async () => {
    const { businessDate } = (await board(desk, 'arrivals')).body
    const { billing } = office.service.ctx.upstreams
    const broken = { billing: { ...billing, listFolios: fail } }
    const tomorrow = new Date(Date.parse(businessDate) + 86_400_000).toISOString().slice(0, 10)
    expect(await degradedAt(tomorrow, 'front_desk', broken)).toEqual(['billing'])
    expect(await degradedAt(tomorrow, 'housekeeping', broken)).toEqual([])
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
