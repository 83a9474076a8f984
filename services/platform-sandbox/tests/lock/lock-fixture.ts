import { systemClock } from '@melmastoon/chassis/clock'
import { createDatabase } from '@melmastoon/chassis/db'
import { addDays, type IsoDateTime, newId, type RoomId, todayIn } from '@melmastoon/domain'
import {
  type IssuedKey,
  KEY_KINDS,
  type KeyKind,
  LOCK_VENDORS,
  type LockVendor,
  lockContract,
} from '@melmastoon/upstream-contracts/lock'
import type { LockScenario } from '../../src/modules/lock/module.ts'
import { seedLock } from '../../src/modules/lock/seed-lock.ts'
import { seedProperty } from '../../src/modules/property/seed-property.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import { clientFor, drainEvents, sandboxEnvironment, send, startSandbox } from '../start-sandbox.ts'

const today = todayIn('Asia/Kabul', systemClock.now())

export const world = generateWorld({ seed: 'lock tests', anchorDate: today, properties: 8 })

export const at = (days: number) => `${addDays(today, days)}T10:00:00Z` as IsoDateTime

/** Houses and their locks only; late responses come soon. */
export async function serveLocks({ processes = 1 } = {}) {
  const environment = await sandboxEnvironment({ LOCK_LATE_MS: '400' })
  const open = (url: string) => createDatabase({ url, poolMax: 2, onError: () => undefined })
  const db = open(environment.relayUrl)
  await seedProperty(db, world)
  await seedLock(db, world)
  const sandbox = await startSandbox(environment)
  const others = await Promise.all(
    Array.from({ length: processes - 1 }, () => startSandbox(environment)),
  )
  return {
    environment,
    sandbox,
    db,
    url: sandbox.url,
    locks: clientFor(lockContract, sandbox.url),
    async [Symbol.asyncDispose]() {
      await Promise.all([sandbox, ...others].map((each) => each[Symbol.asyncDispose]()))
      await db[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}

export type ServedLocks = Awaited<ReturnType<typeof serveLocks>>

export interface House {
  readonly tenantId: (typeof world.properties)[number]['tenantId']
  readonly propertyId: (typeof world.properties)[number]['propertyId']
  readonly vendor: LockVendor
  readonly rooms: readonly RoomId[]
}

/** Properties are assigned vendors in turn. */
export function houseOf(vendor: LockVendor): House {
  const index = LOCK_VENDORS.indexOf(vendor)
  const house = world.properties[index]
  if (house === undefined) throw new TypeError(`no house with ${vendor}`)
  const rooms = house.roomTypes.flatMap((type) => type.rooms.map(({ roomId }) => roomId))
  return { tenantId: house.tenantId, propertyId: house.propertyId, vendor, rooms }
}

export const kindOf = (vendor: LockVendor): KeyKind =>
  vendor === 'ttlock' ? 'pin_code' : vendor === 'generic-wiegand' ? 'rfid_card' : KEY_KINDS[0]

export const change = () => ({
  requestId: newId('req') as string,
  actor: { operatorId: newId('opr'), deviceId: newId('dev') },
  causationId: newId('int') as string,
})

export function issueBody(house: House) {
  const room = house.rooms[0]
  if (room === undefined) throw new TypeError('a house without rooms')
  return {
    ...change(),
    propertyId: house.propertyId,
    reservationId: newId('rsv'),
    rooms: [room],
    validFrom: at(0),
    validUntil: at(2),
    kind: kindOf(house.vendor),
  }
}

/** The operations on one house, with a new key and a scenario for each call. */
export function actionsAt({ url, environment }: ServedLocks, house: House) {
  const { tenantId } = house
  const own = () => ({ tenantId, idempotencyKey: newId('req') })
  const locks = (scenario?: LockScenario) =>
    clientFor(lockContract, url, scenario === undefined ? {} : { scenario })
  return {
    own,
    issue: (body = issueBody(house), scenario?: LockScenario) =>
      locks(scenario).issue({ body }, own()),
    revoke: (key: KeyRef, scenario?: LockScenario) =>
      locks(scenario).revoke(
        { params: keyOf(key), body: { ...change(), reason: 'checkout' } },
        own(),
      ),
    extend: (key: KeyRef, more: object = {}, scenario?: LockScenario) =>
      locks(scenario).extend(
        { params: keyOf(key), body: { ...change(), validUntil: at(5), ...more } },
        own(),
      ),
    rebind: (key: KeyRef, rooms: RoomId[], scenario?: LockScenario) =>
      locks(scenario).rebind({ params: keyOf(key), body: { ...change(), rooms } }, own()),
    request: (requestId: string) => locks().getRequest({ params: { requestId } }, { tenantId }),
    read: (key: KeyRef) => locks().getCredential({ params: keyOf(key) }, { tenantId }),
    list: (query: object) =>
      locks().listCredentials({ params: { propertyId: house.propertyId }, query }, { tenantId }),
    events: async (requestId: string) => {
      const events = await drainEvents(environment, 'melmastoon.lock.%')
      return events.filter(
        ({ payload }) => (payload as { requestId: string }).requestId === requestId,
      )
    },
    control: (path: string, json: object) =>
      send(url, 'POST', `/admin/api/tenants/${tenantId}${path}`, { json }),
  }
}

type KeyRef = Pick<IssuedKey, 'credential'>

function keyOf({ credential }: KeyRef) {
  if (credential === undefined) throw new TypeError('no key was issued')
  return { keyId: credential.keyId }
}
