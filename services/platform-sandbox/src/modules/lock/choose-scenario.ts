import type { Queryable } from '@melmastoon/chassis/db'
import { idToUuid, type PropertyId, type ReservationId, type TenantId } from '@melmastoon/domain'
import { selectScenario, takeTurn } from './scenario-sql.ts'
import { isLockScenario, type LockScenario } from './scenarios.ts'

export interface ScenarioPlace {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly reservationId: ReservationId
}

/**
 * That of the call, else of the reservation, else of the property. Without a transaction a turn
 * also counts when the action is rejected.
 */
export async function chooseScenario(
  db: Queryable,
  place: ScenarioPlace,
  ofCall: string | undefined,
): Promise<LockScenario | undefined> {
  if (isLockScenario(ofCall)) return ofCall
  const tenant = idToUuid(place.tenantId)
  const target = {
    tenant,
    property: idToUuid(place.propertyId),
    reservation: idToUuid(place.reservationId),
  }
  const [row] = await db.query(selectScenario(target))
  if (row === undefined || !isLockScenario(row.scenario)) return undefined
  if (row.times === null) return row.scenario
  const taken = await db.query(takeTurn(tenant, row))
  return taken.length > 0 ? row.scenario : undefined
}
