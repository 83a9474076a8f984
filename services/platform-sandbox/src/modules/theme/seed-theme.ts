import type { Database } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import { FLOW_STEPS, type FlowStep } from '@melmastoon/upstream-contracts/theme'
import type { World, WorldTenant } from '../../world/world.ts'
import { deriveTheme } from './derive-theme.ts'
import { insertPublished, insertThemes } from './theme-sql.ts'

const BATCH_ROWS = 500

/** One published theme per tenant, derived from its hue. Idempotent. */
export async function seedTheme(db: Database, world: World): Promise<void> {
  for (let from = 0; from < world.tenants.length; from += BATCH_ROWS) {
    const rows = world.tenants.slice(from, from + BATCH_ROWS).map(toRow)
    await db.transaction(async (tx) => {
      await tx.query(insertThemes(rows))
      await tx.query(insertPublished(rows))
    })
  }
}

/** A quiet layout shows the rates with the rooms. */
function stepsOf(layout: WorldTenant['brand']['layoutPreset']): readonly FlowStep[] {
  return FLOW_STEPS.filter((step) => layout !== 'quiet' || step !== 'rates')
}

/** The theme id has the bits of the tenant id, so that every run creates the same one. */
function toRow({ tenantId, displayName, tagline, brand, paymentMethods }: WorldTenant) {
  return {
    tenant_id: idToUuid(tenantId),
    theme_id: idToUuid(tenantId),
    brand_name: displayName,
    tagline,
    layout_preset: brand.layoutPreset,
    tokens: deriveTheme(brand),
    flow: {
      steps: stepsOf(brand.layoutPreset),
      optionalFields: ['phone', 'arrival-time', 'special-requests'] as const,
      paymentRails: paymentMethods,
    },
  }
}
