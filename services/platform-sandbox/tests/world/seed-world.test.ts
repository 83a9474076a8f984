import { createDatabase, type Database } from '@melmastoon/chassis/db'
import { parseIsoDate } from '@melmastoon/domain'
import { spawnProcess } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedProperty } from '../../src/modules/property/seed-property.ts'
import { OtherWorldError, seedWorld } from '../../src/seeding/seed-world.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import { queryAsAdmin, type Stage, setStage } from '../start-sandbox.ts'
import { readContents } from './read-contents.ts'

const PROGRAM = new URL('../../src/seed.ts', import.meta.url)
const SEED = 'melmastoon'
const TODAY = parseIsoDate('2026-03-19')
const TOMORROW = parseIsoDate('2026-03-20')
const options = { seed: SEED, properties: 40, anchorDate: TODAY }

function seedingDatabase(stage: Stage): Database {
  const onError = (error: unknown) => {
    throw error
  }
  return createDatabase({ url: stage.relayUrl, poolMax: 2, onError })
}

describe('seeding', () => {
  let stage: Stage
  let db: Database
  let contents: Record<string, string>

  beforeAll(async () => {
    stage = await setStage()
    db = seedingDatabase(stage)
    const { spentMs } = await seedWorld(db, options)
    process.stdout.write(`seeded 40 properties, in ms: ${JSON.stringify(spentMs)}\n`)
    contents = await readContents(stage)
  })

  afterAll(async () => {
    await db[Symbol.asyncDispose]()
    await stage[Symbol.asyncDispose]()
  })

  it('puts the same into every database', async () => {
    await using other = await setStage()
    await using otherDb = seedingDatabase(other)
    await seedWorld(otherDb, options)
    expect(Object.keys(contents)).toEqual(
      expect.arrayContaining(['property_house', 'property_room', 'reservation_booking']),
    )
    expect(await readContents(other)).toEqual(contents)
  })

  it('puts the same houses there at once or in steps, and others for another seed', async () => {
    await using steps = await setStage()
    await using stepsDb = seedingDatabase(steps)
    await seedProperty(stepsDb, generateWorld({ ...options, properties: 10 }))
    const few = await housesOf(steps)
    await seedProperty(stepsDb, generateWorld(options))
    const many = await housesOf(steps)
    expect(many.length).toBe(few.length + 30)
    expect(many).toEqual(await housesOf(stage))
    await using other = await setStage()
    await using otherDb = seedingDatabase(other)
    await seedProperty(otherDb, generateWorld({ ...options, seed: 'another' }))
    const elsewhere = await readContents(other)
    expect(elsewhere['property_house']).not.toBe(contents['property_house'])
    expect(elsewhere['property_amenity']).toBe(contents['property_amenity'])
  })

  it('has nothing to do a second time', async () => {
    expect((await seedWorld(db, options)).world).toBeNull()
  })

  it('changes nothing when it is done again', async () => {
    await queryAsAdmin(stage, 'delete from sandbox.world_seed')
    expect((await seedWorld(db, options)).world).not.toBeNull()
    expect(await readContents(stage)).toEqual(contents)
  })

  it('goes on where it was interrupted', async () => {
    await queryAsAdmin(stage, `delete from sandbox.world_seed where module = 'search'`)
    const { spentMs } = await seedWorld(db, options)
    expect(Object.keys(spentMs)).toEqual(['world', 'search'])
    expect(await readContents(stage)).toEqual(contents)
  })

  it('refuses a second world in the same database', async () => {
    const other = seedWorld(db, { ...options, seed: 'another' })
    await expect(other).rejects.toThrow(OtherWorldError)
    expect(await readContents(stage)).toEqual(contents)
  })

  it('adds only later stays on a later day', async () => {
    const before = await bookingsOf(stage)
    await seedWorld(db, { ...options, anchorDate: TOMORROW })
    const after = await readContents(stage)
    for (const table of ['tenant_account', 'property_house', 'property_room', 'inventory_room']) {
      expect(after[table]).toBe(contents[table])
    }
    const bookings = await bookingsOf(stage)
    const known = new Set(before.map(({ id }) => id))
    const added = bookings.filter(({ id }) => !known.has(id))
    expect(bookings.filter(({ id }) => known.has(id))).toEqual(before)
    expect(added.length).toBeGreaterThan(0)
    expect(added.filter(({ check_in: checkIn }) => checkIn < '2026-07-10')).toEqual([])
    expect((await seedWorld(db, { ...options, anchorDate: TOMORROW })).world).toBeNull()
  })

  it('is a program that says in one line what it did', async () => {
    await using fresh = await setStage({ WORLD_PROPERTIES: '5', WORLD_SEED: SEED })
    const first = await run(fresh)
    expect(first).toMatch(/^World "melmastoon" of \d{4}-\d\d-\d\d: \d+ tenants, \d+ properties/)
    expect(await run(fresh)).toMatch(/nothing to add\.$/)
    expect(await run(fresh, { WORLD_SEED: 'another' }, 1)).toContain('WORLD_SEED "melmastoon"')
  }, 60_000)
})

interface BookingRow {
  readonly id: string
  readonly status: string
  readonly check_in: string
}

async function bookingsOf(stage: Stage): Promise<BookingRow[]> {
  return await queryAsAdmin<BookingRow>(
    stage,
    `select reservation_id as id, status, check_in::text from sandbox.reservation_booking
     order by reservation_id`,
  )
}

async function housesOf(stage: Stage): Promise<unknown[]> {
  return await queryAsAdmin(stage, 'select * from sandbox.property_house order by property_id')
}

async function run(stage: Stage, env: Record<string, string> = {}, code = 0): Promise<string> {
  const child = spawnProcess(PROGRAM, { env: { ...stage.env, ...env } })
  const end = await child.exited
  expect({ code: end.code, lines: child.lines }).toEqual({ code, lines: [expect.any(String)] })
  return child.lines.join('\n')
}
