import { createDatabase } from '@melmastoon/chassis/db'
import { newId, parseIsoDate } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedProperty } from '../../src/modules/property/seed-property.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import type { WorldProperty } from '../../src/world/world.ts'
import { roomClients } from '../rooms/staff-clients.ts'
import {
  type RunningSandbox,
  sandboxEnvironment,
  send,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { visitPage } from './visit-page.ts'

let environment: TestEnvironment
let sandbox: RunningSandbox

const world = generateWorld({
  seed: 'control room of rooms',
  anchorDate: parseIsoDate('2026-03-19'),
  properties: 3,
})

beforeAll(async () => {
  environment = await sandboxEnvironment()
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 1,
    onError: () => undefined,
  })
  await seedProperty(db, { ...world, properties: world.properties.slice(0, 3) })
  sandbox = await startSandbox(environment)
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

interface Place {
  readonly hotel: WorldProperty
  readonly room: WorldProperty['roomTypes'][number]['rooms'][number]
}

/** The first room of a hotel that no other test changes. */
function placeOf(index: number): Place {
  const hotel = world.properties[index]
  const [room] = (hotel?.roomTypes ?? [])
    .flatMap(({ rooms }) => rooms)
    .toSorted((a, b) => a.floor - b.floor || a.number.localeCompare(b.number))
  if (hotel === undefined || room === undefined) throw new TypeError('a hotel with rooms')
  return { hotel, room }
}

const pageOf = ({ hotel: { tenantId, propertyId } }: Place) =>
  visitPage(sandbox.url, `/?tenant=${tenantId}&property=${propertyId}`)

const readRoom = ({ hotel, room: { roomId } }: Place) =>
  roomClients(sandbox).housekeeping.getRoom({ params: { roomId } }, hotel)

describe('the rooms in the control room', () => {
  it('get another condition and flags by buttons', async () => {
    const place = placeOf(0)
    const name = `room ${place.room.number}`
    const page = await (await pageOf(place)).press(`Dirty ${name}`)
    expect(page.html).toContain('The condition of the room is changed.')
    expect(page.section('rooms')).toContain('dirty')
    await (await pageOf(place)).press(`Do not disturb ${name}`)
    expect(await readRoom(place)).toMatchObject({ condition: 'dirty', flags: ['dnd'] })
    await (await pageOf(place)).press(`Do not disturb ${name}`)
    expect(await readRoom(place)).toMatchObject({ flags: [], version: 4 })
  })

  it('get work orders, which close the room when they block it', async () => {
    const place = placeOf(1)
    const name = `room ${place.room.number}`
    await (await pageOf(place)).press(`Complaint ${name}`)
    const twice = await (await pageOf(place)).press(`Complaint ${name}`)
    expect(twice.html).toContain('MELMASTOON.MAINTENANCE.DUPLICATE_OPEN_WORK_ORDER')
    const page = await (await pageOf(place)).press(`Block ${name}`)
    expect(page.section('work-orders')).toContain('A guest reports a broken window')
    await eventually(async () => {
      expect((await readRoom(place)).flags).toEqual(['out_of_order'])
    })
    const about = 'A guest reports a broken window'
    for (const status of ['assigned', 'resolved']) {
      const moved = await (await pageOf(place)).press(`Next step ${about}`)
      expect(moved.section('work-orders')).toContain(status)
    }
    await (await pageOf(place)).press(`Next step ${about}`)
    await eventually(async () => {
      expect(await readRoom(place)).toMatchObject({
        flags: [],
        condition: 'dirty',
        task: { kind: 'post_maintenance', status: 'pending' },
      })
    })
    await (await pageOf(place)).press(`Next step ${name}`)
    expect(await readRoom(place)).toMatchObject({ condition: 'cleaning' })
  })

  it('can be changed by scripts, not those of another tenant', async () => {
    const { hotel, room } = placeOf(2)
    const path = (tenantId: string) =>
      `/admin/api/tenants/${tenantId}/rooms/${room.roomId}/condition`
    const json = { condition: 'inspected' }
    const done = await send(sandbox.url, 'POST', path(hotel.tenantId), { json })
    expect([done.status, done.body['condition']]).toEqual([200, 'inspected'])
    const foreign = await send(sandbox.url, 'POST', path(newId('tnt')), { json })
    expect(foreign.status).toBe(404)
  })
})
