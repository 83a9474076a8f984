import { createDatabase, type Database } from '@melmastoon/chassis/db'
import { addDays, type IsoDate, idToUuid, parseIsoDate } from '@melmastoon/domain'
import { spawnProcess } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedProperty } from '../../src/modules/property/seed-property.ts'
import { OtherWorldError, seedWorld } from '../../src/seeding/seed-world.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import { sandboxEnvironment, type TestEnvironment } from '../start-sandbox.ts'
import { readContents } from './read-contents.ts'

const PROGRAM = new URL('../../src/seed.ts', import.meta.url)
const SEED = 'melmastoon'
const TODAY = parseIsoDate('2026-03-19')
const TOMORROW = addDays(TODAY, 1)
/**
 * The world of that day begins a month before it and does not contain the stays of the first days.
 */
const LONG_AFTER = addDays(TODAY, 45)
const options = { seed: SEED, properties: 6, anchorDate: TODAY }

function seedingDatabase(environment: TestEnvironment): Database {
  const onError = (error: unknown) => {
    throw error
  }
  return createDatabase({ url: environment.relayUrl, poolMax: 2, onError })
}

describe('seeding', () => {
  let environment: TestEnvironment
  let db: Database
  let contents: Record<string, string>

  beforeAll(async () => {
    environment = await sandboxEnvironment()
    db = seedingDatabase(environment)
    await seedWorld(db, options)
    contents = await readContents(environment)
  })

  afterAll(async () => {
    await db[Symbol.asyncDispose]()
    await environment[Symbol.asyncDispose]()
  })

  it('creates the same data in every database', async () => {
    await using other = await sandboxEnvironment()
    await using otherDb = seedingDatabase(other)
    await seedWorld(otherDb, options)
    expect(Object.keys(contents)).toEqual(
      expect.arrayContaining(['property_house', 'property_room', 'reservation_booking']),
    )
    expect(await readContents(other)).toEqual(contents)
  })

  it('creates the same houses in one step or in several, and others for another seed', async () => {
    await using steps = await sandboxEnvironment()
    await using stepsDb = seedingDatabase(steps)
    await seedProperty(stepsDb, generateWorld({ ...options, properties: 2 }))
    const few = await housesOf(steps)
    await seedProperty(stepsDb, generateWorld(options))
    const many = await housesOf(steps)
    expect(many.length).toBe(few.length + 4)
    expect(many).toEqual(await housesOf(environment))
    await using other = await sandboxEnvironment()
    await using otherDb = seedingDatabase(other)
    await seedProperty(otherDb, generateWorld({ ...options, seed: 'another' }))
    const elsewhere = await readContents(other)
    expect(elsewhere['property_house']).not.toBe(contents['property_house'])
    expect(elsewhere['property_amenity']).toBe(contents['property_amenity'])
  })

  it('adds nothing a second time', async () => {
    expect((await seedWorld(db, options)).world).toBeNull()
  })

  it('is idempotent', async () => {
    await environment.query('delete from sandbox.world_seed')
    expect((await seedWorld(db, options)).world).not.toBeNull()
    expect(await readContents(environment)).toEqual(contents)
  })

  it('continues after an interruption', async () => {
    await environment.query(`delete from sandbox.world_seed where module = 'search'`)
    const { spentMs } = await seedWorld(db, options)
    expect(Object.keys(spentMs)).toEqual(['world', 'search'])
    expect(await readContents(environment)).toEqual(contents)
  })

  it('rejects a second world in the same database', async () => {
    const other = seedWorld(db, { ...options, seed: 'another' })
    await expect(other).rejects.toThrow(OtherWorldError)
    expect(await readContents(environment)).toEqual(contents)
  })

  it('adds the stays of a later day, and updates the status of existing ones', async () => {
    const before = await bookingsOf(environment)
    const [cancelled, ...moving] = movesOn(TOMORROW, before)
    if (cancelled === undefined) throw new TypeError('expected an arrival')
    await environment.query(
      `update sandbox.reservation_booking set status = 'cancelled', version = 2
       where reservation_id = $1`,
      [cancelled],
    )
    await seedWorld(db, { ...options, anchorDate: TOMORROW })
    const after = await bookingsOf(environment)
    const known = new Set(before.map(({ id }) => id))
    const added = after.filter(({ id }) => !known.has(id))
    expect(added.length).toBeGreaterThan(0)
    const isNews = ({ check_in: checkIn, booked_on: bookedOn }: BookingRow) =>
      bookedOn === TODAY || checkIn > '2026-07-10'
    expect(added.filter((booking) => !isNews(booking))).toEqual([])
    const expected = statusesOn(TOMORROW).set(cancelled, 'cancelled')
    const wrong = after.filter(({ id, status }) => (expected.get(id) ?? status) !== status)
    expect(wrong).toEqual([])
    expect(new Set(moving.map((id) => expected.get(id)))).toEqual(
      new Set(['in_house', 'checked_out', 'no_show']),
    )
    const versions = new Map(after.map(({ id, version, observed }) => [id, { version, observed }]))
    expect(moving.filter((id) => versions.get(id)?.version !== 2)).toEqual([])
    expect(moving.filter((id) => versions.get(id)?.observed !== 2)).toEqual([])
  })

  it('assigns rooms to guests who arrived since', async () => {
    const rooms = await environment.query<{ id: string; room: string }>(
      'select allocation_id as id, room_id as room from sandbox.inventory_room_stay',
    )
    const given = new Map(rooms.map(({ id, room }) => [id, room]))
    const { stays } = generateWorld({ ...options, anchorDate: TOMORROW })
    const due = stays.flatMap(({ reservationId, roomId }) =>
      roomId === null ? [] : [[idToUuid(reservationId), idToUuid(roomId)] as const],
    )
    expect(due.length).toBeGreaterThan(50)
    expect(due.filter(([id, room]) => given.get(id) !== room)).toEqual([])
  })

  it('has a folio for every guest of these days, which follows the stay', async () => {
    const pairs = await environment.query<{ stay: string; folio: string | null; owing: number }>(
      `select b.status as stay, f.status as folio, count(*) filter (where coalesce(c.micro, 0)
         > coalesce(p.micro, 0))::int as owing
       from sandbox.reservation_booking b
       join sandbox.inventory_room_stay r using (tenant_id, allocation_id)
       left join sandbox.billing_folio f on f.tenant_id = b.tenant_id
         and f.folio_id = b.reservation_id
       left join lateral (select sum(amount_micro) as micro from sandbox.billing_charge
         where tenant_id = b.tenant_id and folio_id = b.reservation_id) c on true
       left join lateral (select sum(amount_micro) as micro from sandbox.billing_payment
         where tenant_id = b.tenant_id and folio_id = b.reservation_id) p on true
       group by 1, 2 order by 1, 2`,
    )
    const known = pairs.filter(({ stay }) => stay !== 'cancelled' && stay !== 'no_show')
    expect(known).toEqual([
      { stay: 'checked_out', folio: 'closed', owing: 0 },
      { stay: 'confirmed', folio: 'pending', owing: expect.any(Number) },
      { stay: 'in_house', folio: 'open', owing: expect.any(Number) },
    ])
    expect(Math.min(...known.slice(1).map(({ owing }) => owing))).toBeGreaterThan(20)
  })

  it('adds nothing more on that day, and does not change the houses', async () => {
    expect((await seedWorld(db, { ...options, anchorDate: TOMORROW })).world).toBeNull()
    const after = await readContents(environment)
    for (const table of ['tenant_account', 'property_house', 'property_room', 'inventory_room']) {
      expect(after[table]).toBe(contents[table])
    }
  })

  it('ends all past stays, also after a long pause', async () => {
    await seedWorld(db, { ...options, anchorDate: LONG_AFTER })
    const bookings = await bookingsOf(environment)
    const isOver = ({ check_out: checkOut }: BookingRow) => checkOut < LONG_AFTER
    const open = ({ status }: BookingRow) => status === 'confirmed' || status === 'in_house'
    expect(bookings.filter((booking) => isOver(booking) && open(booking))).toEqual([])
    expect(bookings.some((booking) => !isOver(booking) && open(booking))).toBe(true)
  })

  it('is a program that prints one line of results', async () => {
    await using fresh = await sandboxEnvironment({ WORLD_PROPERTIES: '5', WORLD_SEED: SEED })
    const first = await run(fresh)
    expect(first).toMatch(/^World "melmastoon" of \d{4}-\d\d-\d\d: \d+ tenants, \d+ properties/)
    expect(await run(fresh)).toMatch(/nothing to add\.$/)
    expect(await run(fresh, { WORLD_SEED: 'another' }, 1)).toContain('WORLD_SEED "melmastoon"')
  }, 180_000)
})

interface BookingRow {
  readonly id: string
  readonly status: string
  readonly check_in: string
  readonly check_out: string
  readonly booked_on: string
  readonly version: number
  /** The number of history entries. */
  readonly observed: number
}

function statusesOn(anchorDate: IsoDate): Map<string, string> {
  const { stays } = generateWorld({ ...options, anchorDate })
  return new Map(stays.map(({ reservationId, status }) => [idToUuid(reservationId), status]))
}

/** Bookings whose status has changed; expected ones first. */
function movesOn(anchorDate: IsoDate, bookings: readonly BookingRow[]): string[] {
  const then = statusesOn(anchorDate)
  const moving = bookings.filter(({ id, status }) => (then.get(id) ?? status) !== status)
  const [expected, others] = [true, false].map((isExpected) =>
    moving.filter(({ status }) => (status === 'confirmed') === isExpected),
  )
  return [...(expected ?? []), ...(others ?? [])].map(({ id }) => id)
}

async function bookingsOf(environment: TestEnvironment): Promise<BookingRow[]> {
  return await environment.query<BookingRow>(`select reservation_id as id, status, check_in::text, check_out::text, version,
       (created_at at time zone 'UTC')::date::text as booked_on,
       (select count(*)::int from sandbox.reservation_history h
        where h.tenant_id = b.tenant_id and h.reservation_id = b.reservation_id) as observed
     from sandbox.reservation_booking b order by reservation_id`)
}

async function housesOf(environment: TestEnvironment): Promise<unknown[]> {
  return await environment.query('select * from sandbox.property_house order by property_id')
}

async function run(
  environment: TestEnvironment,
  env: Record<string, string> = {},
  code = 0,
): Promise<string> {
  const child = spawnProcess(PROGRAM, { env: { ...environment.env, ...env } })
  const end = await child.exited
  expect({ code: end.code, lines: child.lines }).toEqual({ code, lines: [expect.any(String)] })
  return child.lines.join('\n')
}
