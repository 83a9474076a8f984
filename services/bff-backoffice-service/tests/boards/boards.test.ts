import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Staff, signIn } from '../harness/staff.ts'
import { type Backoffice, OTHER_SLUG, startWithSandbox } from '../harness/start-backoffice.ts'

interface Board {
  readonly businessDate: string
  readonly source: string
  readonly rows: readonly Record<string, unknown>[]
  readonly page: { readonly total: number; readonly nextCursor: string | null }
  readonly delta: { readonly cursor: string; readonly full: boolean; readonly removed: string[] }
  readonly degraded: readonly string[]
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
      expect([status, (body as unknown as { code: string }).code]).toEqual(expected)
    }
  })

  it('shows maintenance the status of rooms only, and no stays', async () => {
    const technician = await signIn(office, 'technician')
    const rooms = (await board(technician, 'housekeeping')).body.rows
    expect(rooms.some((row) => 'task' in row || 'nextArrival' in row)).toBe(false)
    expect((await board(technician, 'arrivals')).status).toBe(403)
  })
})
