import { idToUuid } from '@melmastoon/domain'
import { compileCard } from '../../src/modules/pricing/compile-card.ts'
import { compileRules, type Rules } from '../../src/modules/pricing/engine/compile-rules.ts'
import type { RateCard } from '../../src/modules/pricing/module.ts'
import { ruleSetOf } from '../../src/modules/pricing/seed/rule-set-of.ts'
import { roomRow, seedPlans } from '../../src/modules/pricing/seed-pricing.ts'
import type { World, WorldProperty } from '../../src/world/world.ts'

const cards = new WeakMap<WorldProperty, RateCard>()
const ruleSets = new Map<string, Rules>()

/** The rates that the pricing module would be seeded with, without a database. */
export function rateCardOf(world: World, property: WorldProperty, revision = 0): RateCard {
  const card = cards.get(property) ?? createCard(world, property)
  cards.set(property, card)
  return { ...card, revision }
}

function createCard({ anchorDate, tenants }: World, property: WorldProperty): RateCard {
  const { tenantId, propertyId, currency, timeZone, roomTypes } = property
  const isRich = tenants.some((tenant) => tenant.tenantId === tenantId && tenant.isRich)
  const row = {
    property_id: idToUuid(propertyId),
    tenant_id: idToUuid(tenantId),
    currency,
    time_zone: timeZone,
    rule_set_id: '',
    rooms: roomTypes.map(roomRow),
    revision: 0,
    book_revision: 0,
    plans: seedPlans(property, isRich, anchorDate).map(({ nightly, ...plan }) => ({
      ...plan,
      version: 1,
      rates: Object.fromEntries(
        nightly.map(({ room, micro }) => [idToUuid(room.roomTypeId), micro.toString()]),
      ),
    })),
  }
  return compileCard(row, rulesOf(property, anchorDate))
}

/** Hotels share them, as in the database. */
function rulesOf(property: WorldProperty, anchorDate: World['anchorDate']): Rules {
  const set = ruleSetOf(property, anchorDate)
  const key = JSON.stringify(set)
  const rules = ruleSets.get(key) ?? compileRules(set)
  ruleSets.set(key, rules)
  return rules
}
