import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem, type RatePlanId, type TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import { ratePlanPublished } from '@melmastoon/platform-events'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'
import type { ModuleHost } from '../../module.ts'
import type { RateBook } from './rate-book.ts'
import { incrementRevision } from './rate-card-sql.ts'
import { lockRatePlan, publishPrices, type RatePlanRow, readRatePlan } from './rate-plan-sql.ts'
import { toRatePlan } from './rate-plans.ts'

export interface PlanChange {
  readonly tenantId: TenantId
  readonly ratePlanId: RatePlanId
  readonly cause: EventContext
}

export interface PriceChangeHost {
  readonly tx: Tx
  readonly book: RateBook
  readonly registry: ModuleHost['registry']
}

/**
 * Sets new prices of a plan, publishes its next version and appends the event, in the caller's
 * transaction.
 */
export async function publishRates(
  { tx, book, registry }: PriceChangeHost,
  change: PlanChange,
  ratesOf: (row: RatePlanRow) => Readonly<Record<string, string>>,
): Promise<RatePlan> {
  const { tenantId, ratePlanId, cause } = change
  const [tenant, ratePlan] = [idToUuid(tenantId), idToUuid(ratePlanId)]
  await tx.query(lockRatePlan(tenant, ratePlan))
  const [row] = await tx.query(readRatePlan(tenant, ratePlan))
  if (row === undefined) throw problem('MELMASTOON.PRICING.RATE_PLAN_NOT_FOUND')
  const rates = ratesOf(row)
  const [published] = await tx.query(
    publishPrices({ ratePlan, roomTypes: Object.keys(rates), nightlyMicro: Object.values(rates) }),
  )
  if (published === undefined) throw new TypeError('the locked rate plan does not exist')
  const plan = toRatePlan({ ...row, rates, status: 'published', version: published.version })
  await appendEvents(tx, [publishedEvent(registry, { plan, at: published.at, cause })])
  await tx.query(incrementRevision([row.property_id]))
  tx.onCommit(() => book.invalidate(plan.propertyId))
  return plan
}

interface Publication {
  readonly plan: RatePlan
  readonly at: Date
  readonly cause: EventContext
}

function publishedEvent(registry: ModuleHost['registry'], { plan, at, cause }: Publication) {
  const { tenantId, propertyId, ratePlanId, code, version } = plan
  const publishedAt = at.toISOString()
  const payload = { tenantId, propertyId, ratePlanId, code, ratePlanVersion: version, publishedAt }
  return registry.build(ratePlanPublished.subject, payload, cause)
}
