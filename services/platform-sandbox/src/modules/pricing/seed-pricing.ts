import { createHash } from 'node:crypto'
import type { Database } from '@melmastoon/chassis/db'
import { type IsoDate, idToUuid } from '@melmastoon/domain'
import { batchesOf, seedBatches } from '../../seed-batches.ts'
import type { World, WorldProperty, WorldRoomType } from '../../world/world.ts'
import { refreshFx } from './refresh-fx.ts'
import { plansOf, type SeedPlan } from './seed/plans-of.ts'
import { promotionsOf } from './seed/promotions-of.ts'
import { ruleSetOf } from './seed/rule-set-of.ts'
import { ANY_STAY, stayRulesOf } from './seed/stay-rules-of.ts'
import {
  insertPromotions,
  insertProperties,
  insertRatePlans,
  insertRates,
  insertRuleSets,
} from './seed-sql.ts'

const BATCH_PROPERTIES = 1_000
const BATCH_TENANTS = 4_000

/** Idempotent: existing rows stay, including changed prices. */
export async function seedPricing(db: Database, world: World): Promise<void> {
  await refreshFx(db)
  const richTenants = new Set(
    world.tenants.filter(({ isRich }) => isRich).map(({ tenantId }) => tenantId),
  )
  const isRich = (tenantId: WorldProperty['tenantId']) => richTenants.has(tenantId)
  await seedBatches(batchesOf(world.properties, BATCH_PROPERTIES), (batch) =>
    seedProperties(db, { world, batch, isRich }),
  )
  for (let from = 0; from < world.tenants.length; from += BATCH_TENANTS) {
    const rows = world.tenants.slice(from, from + BATCH_TENANTS).flatMap((tenant) =>
      promotionsOf(tenant, world.anchorDate).map((promotion) => ({
        tenant_id: idToUuid(tenant.tenantId),
        ...promotion,
      })),
    )
    await db.query(insertPromotions(rows))
  }
}

interface Batch {
  readonly world: World
  readonly batch: readonly WorldProperty[]
  readonly isRich: (tenantId: WorldProperty['tenantId']) => boolean
}

async function seedProperties(db: Database, { world, batch, isRich }: Batch): Promise<void> {
  const ruleSets = new Map<string, object>()
  const properties = batch.map((property) => {
    const rules = ruleSetOf(property, world.anchorDate)
    const rule_set_id = createHash('sha256').update(JSON.stringify(rules)).digest('hex')
    ruleSets.set(rule_set_id, { rule_set_id, rules })
    return { ...owner(property), ...propertyRow(property), rule_set_id }
  })
  const plans = batch.flatMap((property) =>
    seedPlans(property, isRich(property.tenantId), world.anchorDate).map((plan) => ({
      property,
      plan,
    })),
  )
  const rates = plans.flatMap(({ plan }) =>
    plan.nightly.map(({ room, micro }) => ({
      plan: plan.id,
      room: idToUuid(room.roomTypeId),
      micro: micro.toString(),
    })),
  )
  // Shared between batches: sorted, so that two transactions never wait for each other.
  const sorted = [...ruleSets].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  await db.transaction(async (tx) => {
    await tx.query(insertRuleSets(sorted))
    await tx.query(insertProperties(properties))
    await tx.query(
      insertRatePlans(
        plans.map(({ property, plan: { id, code, name, category, terms } }) => ({
          ...owner(property),
          rate_plan_id: id,
          code,
          name,
          category,
          terms,
        })),
      ),
    )
    await tx.query(
      insertRates({
        plans: rates.map(({ plan }) => plan),
        rooms: rates.map(({ room }) => room),
        micros: rates.map(({ micro }) => micro),
      }),
    )
  })
}

/** The detailed hotels take any stay. */
export function seedPlans(property: WorldProperty, isRich: boolean, from: IsoDate): SeedPlan[] {
  return plansOf(property, isRich, isRich ? ANY_STAY : stayRulesOf(property, from))
}

function owner({ tenantId, propertyId }: WorldProperty) {
  return { tenant_id: idToUuid(tenantId), property_id: idToUuid(propertyId) }
}

function propertyRow({ currency, timeZone, roomTypes }: WorldProperty) {
  return { currency, time_zone: timeZone, rooms: roomTypes.map(roomRow) }
}

/** In a family room a third adult pays extra; apartments and dormitory beds include all guests. */
export function roomRow({ roomTypeId, kind, adultsMax, childrenMax }: WorldRoomType) {
  const takesAll = kind === 'apartment' || kind === 'dorm'
  const adultsIncluded = takesAll ? adultsMax : Math.min(2, adultsMax)
  return { roomTypeId, adultsIncluded, adultsMax, childrenMax }
}
