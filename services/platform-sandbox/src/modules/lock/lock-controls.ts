import type { Database } from '@melmastoon/chassis/db'
import {
  idToUuid,
  type PropertyId,
  problem,
  type ReservationId,
  type TenantId,
  uuidToId,
} from '@melmastoon/domain'
import { LOCK_VENDORS, type LockVendor } from '@melmastoon/upstream-contracts/lock'
import { updateGateway, updateVendor } from './lock-property-sql.ts'
import { releaseAwaiting } from './response-sql.ts'
import { deleteScenario, putScenario, type ScenarioRow, selectScenarios } from './scenario-sql.ts'
import type { LockScenario } from './scenarios.ts'
import { VENDORS } from './vendors/vendors.ts'

const SCENARIOS_MAX = 50

export interface LockPlace {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

/** For all actions of a property, or of one reservation. */
export type ScenarioOwner =
  | { readonly tenantId: TenantId; readonly propertyId: PropertyId }
  | { readonly tenantId: TenantId; readonly reservationId: ReservationId }

export interface SetScenario {
  readonly owner: ScenarioOwner
  readonly scenario: string
  /** Null: all actions until it is removed. */
  readonly times: number | null
}

export async function setScenario(
  db: Database,
  owner: ScenarioOwner,
  { scenario, times }: { readonly scenario: LockScenario; readonly times: number | null },
): Promise<void> {
  const row = { ...scopeOf(owner), scenario, times }
  await db.tenantQuery(owner.tenantId, putScenario(idToUuid(owner.tenantId), row))
}

export async function removeScenario(db: Database, owner: ScenarioOwner): Promise<void> {
  const statement = deleteScenario(idToUuid(owner.tenantId), scopeOf(owner))
  await db.tenantQuery(owner.tenantId, statement)
}

export async function listScenarios(db: Database, tenantId: TenantId): Promise<SetScenario[]> {
  const statement = selectScenarios(idToUuid(tenantId), SCENARIOS_MAX)
  const rows = await db.tenantQuery(tenantId, statement)
  return rows.map(({ scope, scope_id, scenario, times }) => ({
    owner:
      scope === 'property'
        ? { tenantId, propertyId: uuidToId('ppt', scope_id) }
        : { tenantId, reservationId: uuidToId('rsv', scope_id) },
    scenario,
    times,
  }))
}

/** Online again: commands that the vendor has accepted meanwhile are executed. */
export async function setGateway(
  db: Database,
  { tenantId, propertyId }: LockPlace,
  gateway: 'online' | 'offline',
): Promise<void> {
  const ref = { tenant: idToUuid(tenantId), property: idToUuid(propertyId) }
  await db.withTenant(tenantId, async (tx) => {
    const [changed] = await tx.query(updateGateway(ref, gateway))
    if (changed === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
    if (gateway === 'offline') return
    for (const vendor of LOCK_VENDORS) {
      await tx.query(releaseAwaiting(ref, { vendor, done: VENDORS[vendor].respond('done') }))
    }
  })
}

export async function setVendor(
  db: Database,
  { tenantId, propertyId }: LockPlace,
  vendor: LockVendor,
): Promise<void> {
  const ref = { tenant: idToUuid(tenantId), property: idToUuid(propertyId) }
  const { slotsPerRoom } = VENDORS[vendor].profile
  const [changed] = await db.tenantQuery(tenantId, updateVendor(ref, vendor, slotsPerRoom))
  if (changed === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
}

function scopeOf(owner: ScenarioOwner): Pick<ScenarioRow, 'scope' | 'scope_id'> {
  return 'propertyId' in owner
    ? { scope: 'property', scope_id: idToUuid(owner.propertyId) }
    : { scope: 'reservation', scope_id: idToUuid(owner.reservationId) }
}
